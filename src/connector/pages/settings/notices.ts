import type { Outcome } from '../define-page.ts';

/** Where the settings page begins; its forms lead back there. */
export const SETTINGS_PATH = '/settings';

/** The parts of the settings page, by their anchors. */
export type CardId = 'irc' | 'channels' | 'agents' | 'events' | 'history' | 'connect' | 'people';

/** What came of a form, said in the card that it belongs to. */
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
  channels: { card: 'channels', text: 'Saved.' },
  'channels-later': {
    card: 'channels',
    text: 'Saved. The bouncer does not answer at the moment; it will follow when it is back.',
    isWarning: true,
  },
  agent: { card: 'agents', text: 'This agent has no access any more.' },
  events: { card: 'events', text: 'This agent is not woken by these mentions any more.' },
  history: { card: 'history', text: 'Your history is deleted.' },
  invited: { card: 'people', text: 'Invited. They can sign in now, and choose their channels in the settings.' },
  granted: { card: 'people', text: 'The grants are saved.' },
  removed: { card: 'people', text: 'This person has no access any more. What was kept of them is being deleted.' },
} as const satisfies Record<string, Notice>;

/** Back to the settings, where the notice stands. */
export const done = (what: keyof typeof DONE): Outcome => ({
  goTo: `${SETTINGS_PATH}?done=${what}#${DONE[what].card}`,
});

/** The notice that an address of the settings page asks for. */
export const noticeOf = (word: unknown): Notice | undefined =>
  Object.entries(DONE).find(([what]) => what === word)?.[1];
