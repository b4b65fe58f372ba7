import type { AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

export type WebHandler = ReturnType<typeof createMcpHandler>['fetch'];

/**
 * Answers a request of Node, whose body is parsed, by a handler of web requests. The SDK's own adapter also serves
 * streams and prepares for their end, which takes a tenth of the time of a call; our answers are never streams.
 * @param url of the endpoint; the peer's Host header need not be usable in a URL
 */
export async function answerByWeb(
  handler: WebHandler,
  url: string,
  req: ExpressRequest & { auth?: AuthInfo },
  res: ExpressResponse,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value));
  const request = new Request(url, { method: 'POST', headers });
  const answer = await handler(request, {
    parsedBody: req.body,
    ...(req.auth !== undefined && { authInfo: req.auth }),
  });
  const text = await answer.text();
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  res.end(text);
}
