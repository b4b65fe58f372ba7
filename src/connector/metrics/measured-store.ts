import type { CaptureStore } from '../ports/capture-store.ts';
import type { Measurements } from '../ports/measurements.ts';
import type { MessageStore } from '../ports/message-store.ts';
import type { Store } from '../ports/store.ts';

/** Wraps the store, counting stored entries and lines of sends. */
export function measuredStore(store: Store, measurements: Measurements): Store {
  return {
    ...store,
    capture: measuredCapture(store.capture, measurements),
    messages: measuredMessages(store.messages, measurements),
  };
}

function measuredCapture(capture: CaptureStore, measurements: Measurements): CaptureStore {
  return {
    ...capture,
    ingest: async (accountId, network, batch) => {
      const ingested = await capture.ingest(accountId, network, batch);
      for (const { kind } of ingested.entries) measurements.captured(kind);
      measurements.sent('echoed', ingested.echoedCount);
      return ingested;
    },
    addGap: async (accountId, network, channel, gap) => {
      await capture.addGap(accountId, network, channel, gap);
      measurements.captured('gap');
    },
  };
}

function measuredMessages(messages: MessageStore, measurements: Measurements): MessageStore {
  return {
    ...messages,
    accept: async (send, admit) => {
      const accepted = await messages.accept(send, admit);
      if ('message' in accepted) measurements.sent('pending', accepted.lineCount);
      return accepted;
    },
    setPartStatus: async (part, status, ...more) => {
      const message = await messages.setPartStatus(part, status, ...more);
      measurements.sent(status, 1);
      return message;
    },
  };
}
