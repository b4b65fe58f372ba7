import { afterAll, expect } from 'vitest';
import { type Beside, startServingBeside } from '../../harness/beside.ts';
import { CookieBrowser } from '../../harness/cookie-browser.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { codeFor, redeem, refresh, registerClient, statusWith } from '../../harness/oauth-client.ts';

const test = testWithStack();

let beside: Beside;

test.beforeAll(async () => {
  beside = await startServingBeside(stack);
});

afterAll(async () => {
  await beside?.process.stop();
});

test('a person signs in and lets an agent in while each request goes to another process, and the agent uses its tokens at both', async () => {
  const [here, there] = [{ baseUrl: stack.baseUrl }, { baseUrl: `http://127.0.0.1:${beside.port}` }];
  const balanced = { baseUrl: stack.baseUrl, signIn: signedIn };
  const resource = { resource: stack.baseUrl };
  for (const [one, other] of [
    [here, there],
    [there, here],
  ] as const) {
    const clientId = await registerClient(one);
    const tokens = await redeem(other, clientId, await codeFor(balanced, 'ada', clientId), resource);
    expect(tokens).toMatchObject({ status: 200, scope: 'irc:read irc:write' });
    expect(await statusWith(one, tokens.access_token)).toBe(200);

    const renewed = await refresh(one, clientId, tokens.refresh_token);
    const repeated = await refresh(other, clientId, tokens.refresh_token);

    expect(renewed.status).toBe(200);
    // A client that lost the answer asks again, and may come to the other process.
    expect(repeated).toMatchObject({ status: 200, refresh_token: renewed.refresh_token });
    expect(await statusWith(other, renewed.access_token)).toBe(200);
    expect(await refresh(other, clientId, renewed.refresh_token)).toMatchObject({ status: 200 });
    // Now the first answer was used: a repetition is a theft, at whichever process.
    expect(await refresh(one, clientId, tokens.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  }
});

/** A browser whose every request goes to another process than the one before. */
function restless(): CookieBrowser {
  const browser = new CookieBrowser();
  let requests = 0;
  browser.route = (url) => {
    if (!url.startsWith(stack.baseUrl)) return url;
    requests += 1;
    return requests % 2 === 0 ? url : url.replace(stack.baseUrl, `http://127.0.0.1:${beside.port}`);
  };
  return browser;
}

async function signedIn(login: string): Promise<CookieBrowser> {
  const browser = restless();
  const page = await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { login });
  expect(page.url.pathname).toBe('/settings');
  return browser;
}
