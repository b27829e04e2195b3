/** The largest page the platform serves; when more is asked for, this is sent and reported. */
export const maxPerPage = 200;

/** The size of a page where a list is asked for one and no size is named. */
export const initialPerPage = 20;
