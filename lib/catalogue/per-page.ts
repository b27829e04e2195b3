/** The largest page the platform serves; when more is asked for, this is sent and reported. */
export const maxPerPage = 200;
