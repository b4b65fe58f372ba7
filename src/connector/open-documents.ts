import type { Lifecycle } from '../kernel/lifecycle.ts';
import { DOCUMENT_DEADLINE_MS, documentFetcher } from './fetch-document.ts';
import { ClientDocuments, type ClientDocumentsParts } from './oauth/client-documents.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { OutboundProxy } from './outbound/proxy.ts';

/** Opens the way to the documents of clients, until the program ends. */
export function openDocuments(
  parts: Omit<ClientDocumentsParts, 'fetchDocument'>,
  proxy: OutboundProxy | undefined,
  lifecycle: Lifecycle,
): ClientDocuments {
  const outbound = createOutbound({ deadlineMs: DOCUMENT_DEADLINE_MS, proxy });
  lifecycle.add('documents of clients', () => outbound.close());
  return new ClientDocuments({ ...parts, fetchDocument: documentFetcher(outbound) });
}
