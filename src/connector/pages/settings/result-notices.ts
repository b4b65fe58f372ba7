import type { Outcome } from '../define-page.ts';

/** Path of the settings page; its forms lead back there. */
export const SETTINGS_PATH = '/settings';

/** Anchors of the cards of the settings page. */
export type CardId = 'irc' | 'network-login' | 'channels' | 'agents' | 'events' | 'history' | 'connect' | 'people';

/** Outcome of a form, shown in the card that it belongs to. */
export interface Notice {
  card: CardId;
  text: string;
  isWarning?: boolean;
}

const DONE = {
  online: { card: 'irc', text: 'You are being taken online. What is said in your channels is kept from now on.' },
  offline: { card: 'irc', text: 'You are offline, and so are all your agents. Your history is kept.' },
  nick: { card: 'irc', text: 'Your nick is saved.' },
  network: { card: 'irc', text: 'Your network is changed.' },
  'network-later': {
    card: 'irc',
    text: 'Saved, but not done yet. If the bouncer does not answer at the moment, it will follow when it is back; after many changes, within a minute.',
    isWarning: true,
  },
  login: { card: 'network-login', text: 'What has come of it stands below.' },
  'login-cleared': { card: 'network-login', text: 'This login is forgotten, here and in the bouncer.' },
  'login-cleared-later': {
    card: 'network-login',
    text: 'This login is forgotten here. The bouncer does not answer at the moment; it forgets it before it connects you again.',
    isWarning: true,
  },
  certificate: {
    card: 'network-login',
    text: 'The certificate is made. Add it to your account at the network, then log in with it.',
  },
  channels: { card: 'channels', text: 'Saved.' },
  'channels-later': {
    card: 'channels',
    text: 'Saved. The bouncer does not answer at the moment; it will follow when it is back.',
    isWarning: true,
  },
  'agent-renamed': { card: 'agents', text: 'The name is saved.' },
  agent: { card: 'agents', text: 'This agent has no access any more.' },
  events: { card: 'events', text: 'This agent is not woken by these mentions any more.' },
  history: { card: 'history', text: 'Your history is deleted.' },
  invited: { card: 'people', text: 'Invited. They can sign in now, and choose their channels in the settings.' },
  granted: { card: 'people', text: 'The grants are saved.' },
  removed: { card: 'people', text: 'This person has no access any more. What was kept of them is being deleted.' },
} as const satisfies Record<string, Notice>;

/** Returns to the settings, which show the notice. */
export const done = (what: keyof typeof DONE): Outcome => ({
  goTo: `${SETTINGS_PATH}?done=${what}#${DONE[what].card}`,
});

/** The notice that the query of the settings page names. */
export const noticeOf = (word: unknown): Notice | undefined =>
  Object.entries(DONE).find(([what]) => what === word)?.[1];
