import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { BouncerSession } from '../../src/connector/ports/bouncer-session.ts';
import { Mailbox } from '../../src/connector/presence/mailbox.ts';
import { Outbox } from '../../src/connector/presence/outbox.ts';
import type { PresenceContext } from '../../src/connector/presence/presence-context.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { OpenStore } from './open-store.ts';
import { storeSend } from './stored-sends.ts';

const SECOND_MS = 1_000;

let serial = 0;

/** An account's outbox before a session that the test plays; the rest of a session is of no concern here. */
export async function playedOutbox(
  open: OpenStore,
  {
    write = (_text: string): void => undefined,
    upstream = true,
    answering = Promise.resolve(true),
    store = open.store,
    isLost = (): boolean => false,
  } = {},
) {
  let questions = 0;
  /** Channels that the bouncer has not joined yet. */
  const unheard = new Set<string>();
  serial += 1;
  const accountId = await open.account(`writer${serial}`);
  const written: string[] = [];
  const session = {
    upstream,
    isUnpaced: false,
    hasServerEcho: true,
    sendMessage: (_channel: string, text: string) => {
      write(text);
      written.push(text);
    },
    probeUpstream: async () => {
      questions += 1;
      return answering;
    },
  };
  const { clock } = open;
  const context = { store, clock, log: createLog('test', 'error') } as unknown as PresenceContext;
  const mailbox = new Mailbox({ accountId, log: context.log });
  const restarted = () =>
    new Outbox({
      accountId,
      context,
      enqueue: (work) => mailbox.enqueue(work),
      session: () => (isLost() ? undefined : (session as unknown as BouncerSession)),
      network: () => 'main',
      isHeard: (channel) => !unheard.has(channel),
    });
  const outbox = restarted();
  /** Drains the outbox in the account's turn, as always. */
  const drain = (which = outbox): Promise<void> => mailbox.call(() => which.drain());
  const toldAll = (): Promise<unknown> => waitFor('all is stored', () => mailbox.depth.events === 0);
  const refused = async (channel: string, reason: string): Promise<void> => {
    outbox.refused(channel, reason);
    await toldAll();
  };
  /** No timer of the account is left. */
  const close = async (): Promise<void> => {
    outbox.close();
    await mailbox.close(SECOND_MS);
  };
  const add = async (...texts: string[]) => {
    const parts = texts.map((text) => ({ text, tag: `tag ${serial} ${text}` }));
    const { messageId } = await storeSend(open, {
      ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
      ...{ channel: '#room', nick: 'writer', text: texts.join(''), parts },
    });
    return async () => store.messages.find(messageId);
  };
  const echoAll = async () => {
    for (const part of await store.messages.outstanding(accountId, 0)) {
      if (part.writtenAt !== null) await store.messages.setPartStatus(part, 'echoed');
    }
  };
  return {
    accountId,
    outbox,
    drain,
    toldAll,
    refused,
    close,
    restarted,
    session,
    unheard,
    written,
    add,
    echoAll,
    questions: () => questions,
  };
}
