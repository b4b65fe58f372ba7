/** Numbers of the specification and of the decisions that fill what it leaves open; each stands here once. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** @spec connector#limits message text; characters are Unicode code points */
export const MESSAGE_MAX_CHARACTERS = 400;

/** @spec connector#limits nick length */
export const NICK_MAX_CHARACTERS = 31;

/** @spec connector#limits `limit` query */
export const HISTORY_LIMIT_MAX = 200;
/** @spec connector#limits `limit` query */
export const HISTORY_LIMIT_DEFAULT = 50;

/** How far `last_hour` reaches back. @spec connector#mcp-tools */
export const LAST_HOUR_MS = HOUR_MS;
/** A server whose clock is ahead or behind by this little is right: two clocks are seldom nearer. */
export const CLOCKS_DIFFER_MS = 10 * SECOND_MS;

/** @spec connector#limits post rate */
export const POSTS_PER_WINDOW = 20;
/** The minute of the post rate; it slides. */
export const POST_WINDOW_MS = MINUTE_MS;

/**
 * Requests of one account that are being answered at once, over all its clients. Agents ask a few at a time; one whose
 * calls all take long is kept from taking the connections of everybody.
 */
export const REQUESTS_OF_ACCOUNT_AT_ONCE = 100;

/**
 * How many searches of one account run at once, how many wait, and how long one waits. A search that reads a whole history
 * takes the database hundreds of milliseconds: a hundred at once would delay all other accounts.
 */
export const SEARCHES_OF_ACCOUNT_AT_ONCE = 4;
export const SEARCHES_OF_ACCOUNT_WAITING = 200;
export const SEARCH_WAIT_MAX_MS = 10 * SECOND_MS;

/** @spec connector#limits agent session inactivity expiry */
export const AGENT_SESSION_IDLE_MS = 30 * DAY_MS;

/** Entries that one page of some kinds looks at: without a bound a page of a kind that never happened would read a whole channel. */
export const LOOKED_AT_FOR_KINDS = 10_000;
/** Channels whose unread entries one call returns. */
export const UNREAD_CHANNELS_AT_ONCE = 50;
/** Entries that a search returns before and after each of its results, and results that it returns with them at once. */
export const CONTEXT_ENTRIES_MAX = 10;
export const RESULTS_WITH_CONTEXT_MAX = 50;

/** Longest phrase to search for. */
export const PHRASE_MAX_CHARACTERS = 400;

/** Visible ASCII characters of an idempotency key. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 128;

/** Lifetimes of the authorization server, in seconds as its library wants them. */
export const ACCESS_TOKEN_SECONDS = HOUR_MS / SECOND_MS;
export const AUTHORIZATION_CODE_SECONDS = 60;
/** A person may take this long from the authorization request to the decision. */
export const DECISION_SECONDS = (20 * MINUTE_MS) / SECOND_MS;
/** A consent ends this long after its client last got a refresh token, which is when that token ends, too. */
export const CONSENT_IDLE_MS = 30 * DAY_MS;
export const REFRESH_TOKEN_SECONDS = CONSENT_IDLE_MS / SECOND_MS;
/** A refresh token that was used may be used again for so long, and gets the same answer, unless that has been used itself. */
export const REFRESH_REPEAT_MS = MINUTE_MS;
/** A client that registers is forgotten when nobody has authorised it by then. */
export const UNUSED_CLIENT_SECONDS = DAY_MS / SECOND_MS;
/**
 * Clients that nobody has authorised, in all and from one address; for a further one the oldest goes of the address that has most.
 * There may be more in all while people decide about them, but never more than the last number.
 */
export const UNUSED_CLIENTS = { all: 1_000, perOrigin: 200, atMost: 10_000, alsoBusy: true } as const;
/**
 * Undecided authorization requests, likewise. Those that a person who is signed in looks at never go for
 * others: the newest of each person, as many as the last number says.
 */
export const UNDECIDED_REQUESTS = { all: 2_000, perOrigin: 200, atMost: 10_000, alsoBusy: false } as const;
export const UNDECIDED_REQUESTS_OF_PERSON = 20;
/** Share of the requests of one address a minute that may be registrations, and how many may be in any case. */
export const REGISTRATIONS_SHARE = 1 / 20;
export const REGISTRATIONS_MIN = 10;

/** How long a document in which a client describes itself is remembered, whatever its host says. */
export const DOCUMENT_MIN_SECONDS = MINUTE_MS / SECOND_MS;
export const DOCUMENT_MAX_SECONDS = DAY_MS / SECOND_MS;
export const DOCUMENT_MAX_BYTES = 16 * 1_024;
/** Documents that are asked of one host within a minute, and those that one address may name there. */
export const DOCUMENTS_PER_HOST = 600;
export const DOCUMENTS_PER_HOST_AND_ADDRESS = 20;
/** Documents of clients that nobody has allowed, asked for at the same time: in all, and those that one address names. */
export const DOCUMENTS_AT_ONCE = 64;
export const DOCUMENTS_OF_ADDRESS_AT_ONCE = 4;
/** While the host of a document is out of order, its client is for this long what it was last. */
export const DOCUMENT_KEPT_MS = 7 * DAY_MS;

export const BROWSER_SESSION_IDLE_MS = 12 * HOUR_MS;
export const BROWSER_SESSION_MAX_MS = 30 * DAY_MS;
/** From leaving for the identity provider to coming back. */
export const SIGN_IN_MAX_MS = 10 * MINUTE_MS;
/** Sign-ins under way in one browser, as in its tabs; for a further one the oldest is forgotten. */
export const SIGN_INS_OF_BROWSER_MAX = 5;

/** How long the metadata of an OpenID Connect provider counts. */
export const OIDC_METADATA_MAX_MS = 24 * HOUR_MS;
/** After a failure as of addresses that have moved it is asked for again, but not more often than this. */
export const OIDC_METADATA_DOUBT_MS = MINUTE_MS;

/** The upstream server accepts this many lines at once, then one per interval, without a penalty. */
export const SEND_BURST_LINES = 5;
export const SEND_INTERVAL_MS = 2 * SECOND_MS;
/** The bouncer itself sends this many lines at once. The difference leaves room for its own lines and for probes. */
export const BOUNCER_BURST_LINES = 10;
/** After this time without a line the bouncer can send a full burst again. */
export const BOUNCER_BURST_MS = BOUNCER_BURST_LINES * SEND_INTERVAL_MS;
/** Lines the bouncer sends to connect and join; it sends one more for each channel, to ask for its modes. */
export const CONNECT_LINES = 6;

/** A send is accepted when its last line can be written within this time. A send may take 30 s; the rest is for the echo. */
export const TURN_MAX_MS = 26 * SECOND_MS;
/** A call whose line would be written later waits this long to be accepted; if that is not enough, it is refused. */
export const ACCEPT_WAIT_MAX_MS = 20 * SECOND_MS;
/** A line that is still unwritten after this time fails: it had its turn, and now it would appear too late in the conversation. */
export const PENDING_MAX_MS = 29 * SECOND_MS;
/** An echo without its tag, from a server that gives tags back, is believed for so long after its line was written. */
export const ECHO_SOON_MS = 10 * SECOND_MS;
/** A server without echoes may still refuse, for this long, a line that the bouncer has echoed on its own. */
export const FALSE_ECHO_MS = 2 * SECOND_MS;
/** A server that has not answered a probe by then counts as hanging. */
export const PROBE_DEADLINE_MS = 10 * SECOND_MS;
/** A line that is neither echoed nor refused by then keeps its state; a replay may still bring the echo. */
export const OUTSTANDING_MAX_MS = 2 * MINUTE_MS;

/** A replay starts this much before the newest known line, for lines that a server's clock or the bouncer's store dated too early. */
export const REPLAY_OVERLAP_MS = 5 * MINUTE_MS;

/** People that an owner sees on one page. */
export const PEOPLE_PER_PAGE = 50;
/** Channels of each that are listed there by name; the page of the person has all. */
export const CHANNELS_LISTED = 20;

/** Histories that are downloaded at once; each account downloads one. */
export const DOWNLOADS_AT_ONCE = 8;
/** A browser that takes no more of a download for this long has gone away. */
export const DOWNLOAD_PIECE_MAX_MS = 2 * MINUTE_MS;

/** How often retention is applied. */
export const PRUNE_INTERVAL_MS = 10 * MINUTE_MS;

/** How long an event subscription lives when its client asks for nothing. */
export const SUBSCRIPTION_DEFAULT_MS = 24 * HOUR_MS;
/** The longest life of a subscription; also of one that asks for no end. */
export const SUBSCRIPTION_MAX_MS = 30 * DAY_MS;
/** A subscription that asks for less would end before its client could renew it. */
export const SUBSCRIPTION_MIN_MS = MINUTE_MS;
/**
 * A renewal that begins before the end of its subscription has been stored by this time after it. So long one that has
 * expired is kept, with what waits for it.
 */
export const RENEWAL_MAX_MS = 2 * MINUTE_MS;
/** Subscriptions of one client of an account. */
export const SUBSCRIPTIONS_PER_CLIENT = 50;
/** After a change of the secret, deliveries carry the signature of the one before as well for this long. */
export const SECRET_OVERLAP_MS = 5 * MINUTE_MS;
/** A callback that has proved this recently that it wants events is not asked again. */
export const VERIFICATION_MS = 5 * MINUTE_MS;
/** Deliveries that may wait for one subscription; for a further one the oldest is dropped. */
export const DELIVERIES_PER_SUBSCRIPTION = 1_000;
/** Deliveries of one subscription that are under way at once: one whose receivers hang leaves room for the others. */
export const DELIVERIES_OF_SUBSCRIPTION_AT_ONCE = 2;
/** The same of one client, and of one account. */
export const DELIVERIES_OF_CLIENT_AT_ONCE = 32;
export const DELIVERIES_OF_ACCOUNT_AT_ONCE = 64;
/** Deliveries under way at once. */
export const DELIVERIES_AT_ONCE = 128;
/** Of those, deliveries of subscriptions whose last attempt failed, and of all others: both always have places left. */
export const DELIVERIES_FAILING_AT_ONCE = 96;
export const DELIVERIES_NOT_FAILING_AT_ONCE = 112;
/** Deliveries that may wait in all; for a further one the oldest of the account is dropped that has most. */
export const DELIVERIES_MAX = 10_000;
/** A delivery that could not be attempted for this long, because its channel is disabled, is dropped. */
export const DELIVERY_AGE_MAX_MS = 24 * HOUR_MS;

/** How often the delivery worker looks for what is due, if nothing wakes it. @spec connector#limits event poll interval */
export const EVENT_POLL_MS = 5 * SECOND_MS;
/** Longest address of a callback. */
export const CALLBACK_URL_MAX_CHARACTERS = 2_048;
/** Callbacks that are verified at once, in all and for one account. */
export const VERIFICATIONS_AT_ONCE = 32;
export const VERIFICATIONS_OF_ACCOUNT_AT_ONCE = 2;
/** Verifications that one account may ask for in a minute, which slides, and that one host may get from all of them. */
export const VERIFICATIONS_PER_ACCOUNT = 60;
export const VERIFICATIONS_PER_HOST = 600;
export const VERIFICATION_WINDOW_MS = MINUTE_MS;
