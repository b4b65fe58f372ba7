import type { Network } from './network.ts';

/**
 * State of a login at an IRC network. Only an `accepted` login is sent again by itself, when the network is connected
 * anew; all others wait until the person asks.
 */
export const LOGIN_STATES = [
  /** Entered, and not tried yet. */
  'waiting',
  'trying',
  'accepted',
  /** The network refused it. */
  'refused',
  /** The network had accepted it, and does so no longer. */
  'lost',
  /** No answer came in time, or the program ended before it came. */
  'unanswered',
  /** NickServ has answered, but no line of the server says whether it accepted. */
  'unconfirmed',
  /** The network has no SASL and no NickServ. */
  'unsupported',
  /** The person has removed it, but the bouncer still has it. */
  'cleared',
] as const;

export type LoginState = (typeof LOGIN_STATES)[number];

/** The proof by which a network identifies a person. */
export type LoginProof =
  | { kind: 'password'; name: string; password: string }
  /** The bouncer alone has the key of the certificate. */
  | { kind: 'certificate'; fingerprints: CertificateFingerprints };

/** Fingerprints of a certificate, in hexadecimal. */
export interface CertificateFingerprints {
  sha256: string;
  sha512: string;
}

/** A login that a person entered for exactly one network, with its name and its address. */
export interface NetworkLogin {
  /** Id of the login; entering it again makes a new one. */
  loginId: string;
  network: Network;
  /** Undefined for a login that is cleared, or that the present keys don't decrypt. */
  proof: LoginProof | undefined;
  state: LoginState;
  /** The network's last message about the login. */
  words: string | null;
}

/** Names of accounts are shorter everywhere. */
export const LOGIN_NAME_MAX_BYTES = 64;
/** Name and password must fit the 512 bytes of a line to NickServ: a server would cut a longer password. */
export const LOGIN_PASSWORD_MAX_BYTES = 300;
/** Most characters of a network's message that are stored. */
const WORDS_MAX_CHARACTERS = 300;

/** Whether a text is one word without control characters that can't be read as an option of a command. */
export const isLoginName = (text: string): boolean =>
  Buffer.byteLength(text) <= LOGIN_NAME_MAX_BYTES && /^[^\p{Cc}\s:,!@*?-][^\p{Cc}\s,!@*?]*$/u.test(text);

/** Whether a text can be sent as a password: NUL ends a password in SASL PLAIN, and CR and LF end a line. */
export const isLoginPassword = (text: string): boolean =>
  text.length > 0 && Buffer.byteLength(text) <= LOGIN_PASSWORD_MAX_BYTES && !/[\p{Cc}]/u.test(text);

/** Passwords shorter than this are not masked: the gaps in a message would reveal them. */
const MASKED_MIN_CHARACTERS = 4;

/** Returns a network's message without the password, which a server may repeat: agents read the message, too. */
export const withoutPassword = (words: string, proof: LoginProof | undefined): string =>
  proof?.kind === 'password' && proof.password.length >= MASKED_MIN_CHARACTERS
    ? words.replaceAll(proof.password, '***')
    : words;

export const cutWords = (words: string | undefined): string | null =>
  words === undefined || words === '' ? null : words.replaceAll('\0', '').slice(0, WORDS_MAX_CHARACTERS);
