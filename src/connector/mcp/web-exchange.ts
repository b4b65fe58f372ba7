import type { AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

export type WebHandler = ReturnType<typeof createMcpHandler>['fetch'];

/** Facts that the handler takes from this service and not from the peer. */
export interface Known {
  /** Address of the endpoint; the peer's Host header need not be usable in a URL. */
  url: string;
  auth: AuthInfo;
}

/**
 * Answers a request of Node, whose body is parsed, by a handler of web requests. The SDK's own adapter also serves
 * streams and prepares for their end, which takes a tenth of the time of a call; our answers are never streams.
 * @returns the body of the answer
 */
export async function answerByWeb(
  handler: WebHandler,
  { url, auth }: Known,
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<string> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value));
  const request = new Request(url, { method: 'POST', headers });
  const answer = await handler(request, { parsedBody: req.body, authInfo: auth });
  const text = await answer.text();
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  res.end(text);
  return text;
}
