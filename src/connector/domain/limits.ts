/** Numbers of the specification and of the decisions that fill its gaps; each stands here once. */

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

/** Time that `last_hour` reaches back. @spec connector#mcp-tools */
export const LAST_HOUR_MS = HOUR_MS;
/** Largest difference of a server's clock that counts as correct: two clocks seldom agree better. */
export const CLOCKS_DIFFER_MS = 10 * SECOND_MS;

/** @spec connector#limits post rate */
export const POSTS_PER_WINDOW = 20;
/** Window of the post rate; it slides. */
export const POST_WINDOW_MS = MINUTE_MS;

/**
 * Requests of one account that are answered at once, over all its clients. Agents send a few at a time; an account
 * whose calls all take long must not take all connections.
 */
export const REQUESTS_OF_ACCOUNT_AT_ONCE = 100;

/**
 * Searches of one account that run at once, that wait, and the longest wait. A search that reads a whole history takes
 * the database hundreds of milliseconds: a hundred at once would delay all other accounts.
 */
export const SEARCHES_OF_ACCOUNT_AT_ONCE = 4;
export const SEARCHES_OF_ACCOUNT_WAITING = 200;
export const SEARCH_WAIT_MAX_MS = 10 * SECOND_MS;

/** @spec connector#limits agent session inactivity expiry */
export const AGENT_SESSION_IDLE_MS = 30 * DAY_MS;

/**
 * Entries that one page of some kinds looks at: without a bound a page of a kind that never happened would read a whole
 * channel.
 */
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
/** Longest time from the authorization request to the person's decision. */
export const DECISION_SECONDS = (20 * MINUTE_MS) / SECOND_MS;
/** Lifetime of a consent after its client last got a refresh token; that token ends at the same time. */
export const CONSENT_IDLE_MS = 30 * DAY_MS;
export const REFRESH_TOKEN_SECONDS = CONSENT_IDLE_MS / SECOND_MS;
/**
 * Time in which a used refresh token may be used again and gets the same answer, unless the refresh token of that
 * answer was used.
 */
export const REFRESH_REPEAT_MS = MINUTE_MS;
/** Lifetime of a registered client that has not been authorised. */
export const UNUSED_CLIENT_SECONDS = DAY_MS / SECOND_MS;
/**
 * Most clients without an authorisation, in total and from one address; one more drops the oldest client of the address
 * with the most. While people decide about them there may be more in total, but at most `atMost`.
 */
export const UNUSED_CLIENTS = { all: 1_000, perOrigin: 200, atMost: 10_000, alsoBusy: true } as const;
/**
 * Most undecided authorization requests, likewise. Requests that a signed-in person looks at are never dropped for
 * others: the newest ones of each person, up to the last number.
 */
export const UNDECIDED_REQUESTS = { all: 2_000, perOrigin: 200, atMost: 10_000, alsoBusy: false } as const;
export const UNDECIDED_REQUESTS_OF_PERSON = 20;
/** Share of an address's requests per minute that may be registrations, and the number that is always allowed. */
export const REGISTRATIONS_SHARE = 1 / 20;
export const REGISTRATIONS_MIN = 10;

/** Shortest and longest time that a client's document is cached; the host's own caching counts in between. */
export const DOCUMENT_MIN_SECONDS = MINUTE_MS / SECOND_MS;
export const DOCUMENT_MAX_SECONDS = DAY_MS / SECOND_MS;
export const DOCUMENT_MAX_BYTES = 16 * 1_024;
/** Documents fetched from one host per minute, and those that one address may name there. */
export const DOCUMENTS_PER_HOST = 600;
export const DOCUMENTS_PER_HOST_AND_ADDRESS = 20;
/** Documents of clients without a consent that are fetched at once: in total, and those that one address names. */
export const DOCUMENTS_AT_ONCE = 64;
export const DOCUMENTS_OF_ADDRESS_AT_ONCE = 4;
/** Time for which a client keeps its last document while the host is out of order. */
export const DOCUMENT_KEPT_MS = 7 * DAY_MS;
/** Time for which a document is stored for other processes while a person may be deciding about its client. */
export const SHOWN_DOCUMENT_MS = HOUR_MS;
/** Such documents; strangers name them, so each address has a share. */
export const SHOWN_DOCUMENTS = { all: 200, perOrigin: 20, atMost: 200, alsoBusy: true } as const;

export const BROWSER_SESSION_IDLE_MS = 12 * HOUR_MS;
export const BROWSER_SESSION_MAX_MS = 30 * DAY_MS;
/** Longest time from the redirect to the identity provider to the return. */
export const SIGN_IN_MAX_MS = 10 * MINUTE_MS;
/** Sign-ins under way in one browser, for example in its tabs; one more drops the oldest. */
export const SIGN_INS_OF_BROWSER_MAX = 5;

/** Longest time that the metadata of an OpenID Connect provider is cached. */
export const OIDC_METADATA_MAX_MS = 24 * HOUR_MS;
/** Shortest interval between two requests for the metadata after failures that suggest that addresses have moved. */
export const OIDC_METADATA_DOUBT_MS = MINUTE_MS;

/** The IRC server accepts this many lines at once, then one per interval, without a penalty. */
export const SEND_BURST_LINES = 5;
export const SEND_INTERVAL_MS = 2 * SECOND_MS;
/**
 * Probes between the lines of a burst to a server without echoes, so that each line is settled before the next. Later
 * lines are too far apart to need probes.
 */
export const PROBES_OF_BURST = Math.floor(SEND_BURST_LINES / 2);
/** Most accepted lines of one account that wait to be written, also where no pace limits them. */
export const WAITING_LINES_MAX = 1_000;
/** Longest time for which a call waits until its accepted send is written; then it is answered `pending`. */
export const WRITE_WAIT_MS = SECOND_MS;
/** The bouncer itself sends this many lines at once. The difference leaves room for its own lines and for probes. */
export const BOUNCER_BURST_LINES = 10;
/** Time without a line after which the bouncer can send a full burst again. */
export const BOUNCER_BURST_MS = BOUNCER_BURST_LINES * SEND_INTERVAL_MS;
/** Lines that the bouncer sends to connect and join; it sends one more for each channel, to ask for its modes. */
export const CONNECT_LINES = 6;

/**
 * A send is accepted if its last line can be written within this time. A send may take 30 s; the rest is for the echo.
 */
export const TURN_MAX_MS = 26 * SECOND_MS;
/**
 * Longest time that a call waits to be accepted if its line would be written later than `TURN_MAX_MS`; it is refused if
 * that is not enough.
 */
export const ACCEPT_WAIT_MAX_MS = 20 * SECOND_MS;
/**
 * A line that is still unwritten after this time fails: it had its turn, and would now appear too late in the
 * conversation.
 */
export const PENDING_MAX_MS = 29 * SECOND_MS;
/** Time after writing a line in which an echo without its tag is accepted from a server that returns tags. */
export const ECHO_SOON_MS = 10 * SECOND_MS;
/** Time in which a server without echoes may still refuse a line that the bouncer has echoed on its own. */
export const FALSE_ECHO_MS = 2 * SECOND_MS;
/** A server that has not answered a probe after this time counts as hanging. */
export const PROBE_DEADLINE_MS = 10 * SECOND_MS;
/** A line without an echo or a refusal after this time keeps its state; a replay may still bring the echo. */
export const OUTSTANDING_MAX_MS = 2 * MINUTE_MS;

/**
 * A replay starts this long before the newest known line, for lines that a server's clock or the bouncer's store dated
 * too early.
 */
export const REPLAY_OVERLAP_MS = 5 * MINUTE_MS;

/** People on one page of the owner's list. */
export const PEOPLE_PER_PAGE = 50;
/** Channels that the list names for each person; the page of the person has all. */
export const CHANNELS_LISTED = 20;

/** A number of events that are allowed within a window of time. */
export interface RateLimit {
  max: number;
  windowMs: number;
}

/**
 * Limits of login attempts, for one person and for all people on one network. Networks shut out an address from which
 * many logins are refused, and all accounts come from the bouncer's. An attempt makes at most two requests to the
 * network.
 */
export const LOGIN_ATTEMPTS_OF_PERSON: readonly RateLimit[] = [
  { max: 3, windowMs: 5 * MINUTE_MS },
  { max: 10, windowMs: 24 * HOUR_MS },
];
export const LOGIN_ATTEMPTS_OF_NETWORK: readonly RateLimit[] = [{ max: 10, windowMs: 5 * MINUTE_MS }];

/**
 * Time in which an order for an account is begun, longer than another process takes to get the slot of a dead one; its
 * caller is answered by then, before a proxy gives up.
 */
export const ORDER_DEADLINE_MS = 45 * SECOND_MS;
/** Time after its deadline at which an order whose caller is gone is removed. */
export const ORDER_KEPT_MS = MINUTE_MS;
/** Most orders of one account without an outcome. */
export const ORDERS_OF_ACCOUNT_MAX = 1_000;

/** Age at which a value in memory is read again while other processes may change it. */
export const SHARED_AGE_MS = 500;

/** Calls that processes have stored for each other are removed at this age. */
export const CALLS_KEPT_MS = 24 * HOUR_MS;

/** Downloads of histories at once; each account downloads one. */
export const DOWNLOADS_AT_ONCE = 8;
/** A browser that takes no data of a download for this long counts as gone. */
export const DOWNLOAD_PIECE_MAX_MS = 2 * MINUTE_MS;
/** A download is renewed before a part of it if that was not done for this long. */
export const DOWNLOAD_RENEW_MS = MINUTE_MS / 2;
/** Time for which a download counts without being renewed: longer than a part and the time before it. */
export const DOWNLOAD_LEASE_MS = 3 * MINUTE_MS;

/** Interval of retention. */
export const PRUNE_INTERVAL_MS = 10 * MINUTE_MS;

/** Lifetime of an event subscription whose client does not request one. */
export const SUBSCRIPTION_DEFAULT_MS = 24 * HOUR_MS;
/** Longest lifetime of a subscription; also of one that asks for no end. */
export const SUBSCRIPTION_MAX_MS = 30 * DAY_MS;
/** Shortest lifetime of a subscription: a shorter one would end before its client could renew it. */
export const SUBSCRIPTION_MIN_MS = MINUTE_MS;
/**
 * Time after the end of a subscription in which a renewal that began before is stored. An expired subscription and its
 * queued deliveries are kept for this time.
 */
export const RENEWAL_MAX_MS = 2 * MINUTE_MS;
/** Most subscriptions of one client of an account. */
export const SUBSCRIPTIONS_PER_CLIENT = 50;
/** Time after a change of the secret in which deliveries also carry the signature of the old one. */
export const SECRET_OVERLAP_MS = 5 * MINUTE_MS;
/** Time for which a callback's proof that it wants events counts. */
export const VERIFICATION_MS = 5 * MINUTE_MS;
/** Most queued deliveries of one subscription; one more drops the oldest. */
export const DELIVERIES_PER_SUBSCRIPTION = 1_000;
/** Deliveries of one subscription under way at once: one whose receivers hang leaves room for the others. */
export const DELIVERIES_OF_SUBSCRIPTION_AT_ONCE = 2;
/** Deliveries of one client under way at once, and of one account. */
export const DELIVERIES_OF_CLIENT_AT_ONCE = 32;
export const DELIVERIES_OF_ACCOUNT_AT_ONCE = 64;
/**
 * Deliveries to one host under way at once, in total and of one account: many agents may share a host, and some of
 * their receivers hang.
 */
export const DELIVERIES_OF_HOST_AT_ONCE = 16;
export const DELIVERIES_OF_ACCOUNT_AT_HOST = 8;
/** Deliveries of one process under way at once. */
export const DELIVERIES_AT_ONCE = 128;
/**
 * Share of `DELIVERIES_AT_ONCE` for subscriptions that are failing, and for healthy ones. Each leaves room for the
 * other.
 */
export const DELIVERIES_FAILING_AT_ONCE = 96;
export const DELIVERIES_NOT_FAILING_AT_ONCE = 112;
/** Most queued deliveries in total. One more drops the oldest delivery of the account with the longest queue. */
export const DELIVERIES_MAX = 10_000;
/** A delivery that could not be attempted for this long, because its channel is disabled, is dropped. */
export const DELIVERY_AGE_MAX_MS = 24 * HOUR_MS;

/**
 * Interval at which the delivery worker polls the queue, unless it is woken.
 * @spec connector#limits event poll interval
 */
export const EVENT_POLL_MS = 5 * SECOND_MS;
/** Longest address of a callback. */
export const CALLBACK_URL_MAX_CHARACTERS = 2_048;
/** Callbacks that are verified at once, in total and for one account. */
export const VERIFICATIONS_AT_ONCE = 32;
export const VERIFICATIONS_OF_ACCOUNT_AT_ONCE = 2;
/** Verifications per sliding minute that one account may cause, and that one host may get from all accounts. */
export const VERIFICATIONS_PER_ACCOUNT = 60;
export const VERIFICATIONS_PER_HOST = 600;
export const VERIFICATION_WINDOW_MS = MINUTE_MS;
