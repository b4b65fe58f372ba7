import type { AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

export type WebHandler = ReturnType<typeof createMcpHandler>['fetch'];

/**
 * Has a handler of web requests answer one of Node whose body is parsed. The SDK's own adapter serves streams, too, for
 * which it prepares an end before the answer, and that makes up a tenth of a call here, where every answer is whole.
 * @param url of the endpoint; what a peer writes as its host need not make one
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
