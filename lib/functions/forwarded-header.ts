/** Marks a request that the router passed on, so that a domain's function trusts the router's checks of words it cannot know. */
export const forwardedHeader = 'x-deckhand-forwarded';
