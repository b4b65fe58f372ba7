/** Our tag on a sent line; the bouncer returns it with the echo. Others in the channel see it too, so it is random. */
export const SEND_TAG = '+homeport/id';
