/** The methods that the platform's operations have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
