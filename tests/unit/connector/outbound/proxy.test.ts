import { expect, test } from 'vitest';
import { createOutbound, type OutboundOptions } from '../../../../src/connector/outbound/outbound.ts';
import { proxyFor, proxyOfEnvironment } from '../../../../src/connector/outbound/proxy.ts';
import { startConnectProxy } from '../../../harness/connect-proxy.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { createAuthority } from '../../../harness/test-authority.ts';
import { startDns } from '../../../harness/tiny-dns.ts';
import { startReceiver } from '../../../harness/webhook-receiver.ts';

/** A free address of global unicast: it passes for public, and no machine answers there. */
const NOBODY = '2e00::1';

const post = (url: string, options: OutboundOptions) =>
  createOutbound(options).send({ url, method: 'POST', headers: {}, body: '"hello"', answerBytesMax: 4_096 });

const REFUSED = { kind: 'unreachable', failure: 'connection_refused' };

test('a request leaves by the proxy, which is asked for the vetted address, with its credentials, and sees no more', async () => {
  await using folder = await tempFolder();
  const authority = await createAuthority(folder.path);
  await using receiver = await startReceiver({ tls: await authority.issue('DNS:hooks.example') });
  await using proxy = await startConnectProxy(receiver.port);
  await using dns = await startDns((name) => ({ 'hooks.example': [NOBODY], 'inside.example': ['10.0.0.1'] })[name]);
  const by = { url: proxy.url, credentials: 'ada:s:cret', noProxy: [] };
  const options = { proxy: by, dnsServers: [dns.address], authorities: authority.certificate };

  expect(await post('https://hooks.example:8443/path', options)).toMatchObject({ kind: 'answered', status: 204 });
  expect(proxy.asked).toEqual([
    { target: `[${NOBODY}]:8443`, authorization: `Basic ${Buffer.from('ada:s:cret').toString('base64')}` },
  ]);
  expect(receiver.requests).toMatchObject([{ path: '/path', body: '"hello"' }]);
  expect(receiver.requests[0]?.headers).not.toHaveProperty('proxy-authorization');

  // Hosts that are not public are not requested of a proxy either, by any name.
  for (const host of ['inside.example', 'nowhere.example', '10.0.0.1', '169.254.169.254', '127.0.0.1', 'localhost']) {
    expect([host, await post(`https://${host}:${receiver.port}/`, options)]).toEqual([host, REFUSED]);
  }
  expect([proxy.asked.length, receiver.requests.length]).toEqual([1, 1]);
});

test('the certificate of the host is verified through the proxy, too', async () => {
  await using folder = await tempFolder();
  const authority = await createAuthority(folder.path);
  await using receiver = await startReceiver({ tls: await authority.issue('DNS:other.example') });
  await using proxy = await startConnectProxy(receiver.port);
  await using dns = await startDns(() => [NOBODY]);
  const options = { dnsServers: [dns.address], authorities: authority.certificate };

  expect(await post('https://hooks.example/', { ...options, proxy: { url: proxy.url, noProxy: [] } })).toEqual({
    kind: 'unreachable',
    failure: 'tls_error',
  });
  expect(receiver.requests).toEqual([]);
});

test('a proxy that refuses, and a host without one, are as if the host could not be reached', async () => {
  await using receiver = await startReceiver();
  await using proxy = await startConnectProxy(receiver.port, () => false);
  await using dns = await startDns(() => [NOBODY]);
  const options = { dnsServers: [dns.address], deadlineMs: 3_000 };

  expect(await post('https://hooks.example/', { ...options, proxy: { url: proxy.url, noProxy: [] } })).toEqual(REFUSED);
  expect(proxy.asked).toHaveLength(1);
  await post('https://hooks.example/', { ...options, proxy: { url: proxy.url, noProxy: ['example'] } });
  expect(proxy.asked).toHaveLength(1);
});

test('hosts of the own network, and this machine, are reached without the proxy', async () => {
  await using folder = await tempFolder();
  const authority = await createAuthority(folder.path);
  await using receiver = await startReceiver({ tls: await authority.issue('IP:127.0.0.1') });
  await using proxy = await startConnectProxy(receiver.port);
  const options = { allowHosts: ['127.0.0.1'], authorities: authority.certificate };

  const answer = await post(receiver.url, { ...options, proxy: { url: proxy.url, noProxy: [] } });
  expect([answer, proxy.asked]).toMatchObject([{ status: 204 }, []]);
});

test('where the proxy reaches no address of one family, the request goes to the next address', async () => {
  await using folder = await tempFolder();
  const authority = await createAuthority(folder.path);
  await using receiver = await startReceiver({ tls: await authority.issue('DNS:hooks.example') });
  await using proxy = await startConnectProxy(receiver.port, (target) => !target.includes(NOBODY));
  await using dns = await startDns(() => [NOBODY, '2e00::2']);
  const by = { url: proxy.url, noProxy: [] };

  expect(
    await post('https://hooks.example/', {
      ...{ proxy: by, dnsServers: [dns.address], authorities: authority.certificate },
    }),
  ).toMatchObject({ kind: 'answered', status: 204 });
  expect(proxy.asked.map(({ target }) => target)).toEqual([`[${NOBODY}]:443`, '[2e00::2]:443']);
});

test('a server that is no proxy is as if the host could not be reached', async () => {
  await using receiver = await startReceiver();
  await using dns = await startDns(() => [NOBODY]);
  const proxy = { url: `http://127.0.0.1:${receiver.port}`, noProxy: [] };

  expect(await post('https://hooks.example/', { dnsServers: [dns.address], proxy })).toEqual(REFUSED);
});

test('the environment is read as by other programs, and its credentials are kept apart from the address', () => {
  expect(proxyOfEnvironment({})).toBeUndefined();
  expect(proxyOfEnvironment({ HTTPS_PROXY: '' })).toBeUndefined();
  expect(
    proxyOfEnvironment({
      https_proxy: 'http://ada:p%40ss@proxy.example:3128/',
      no_proxy: '.internal.example, HOST *.b.example',
    }),
  ).toEqual({
    url: 'http://proxy.example:3128',
    credentials: 'ada:p@ss',
    noProxy: ['.internal.example', 'host', '*.b.example'],
  });
  expect(proxyOfEnvironment({ HTTPS_PROXY: 'proxy.example:3128' })).toMatchObject({ url: 'http://proxy.example:3128' });
  expect(proxyOfEnvironment({ HTTPS_PROXY: '', https_proxy: 'proxy.example' })).toMatchObject({
    url: 'http://proxy.example',
  });
  expect(proxyOfEnvironment({ HTTPS_PROXY: 'http://ada:100%@proxy.example' })).toMatchObject({
    credentials: 'ada:100%',
  });
});

test.each(['socks5://proxy.example:1080', 'http://', 'file:///proxy', 'http://proxy.example:99999'])(
  'the environment names no HTTP proxy by %s',
  (named) => {
    expect(() => proxyOfEnvironment({ HTTPS_PROXY: named })).toThrow(TypeError);
  },
);

test.each<[string, string, boolean]>([
  ['deep.internal.example', 'internal.example', false],
  ['deep.internal.example', '.internal.example', false],
  ['deep.internal.example', '*.internal.example', false],
  ['internal.example', 'internal.example', false],
  ['internal.example.', 'internal.example', false],
  ['notinternal.example', 'internal.example', true],
  ['anywhere.example', '*', false],
  ['anywhere.example', '', true],
  ['anywhere.example', '.', true],
  ['with.example', 'with.example:443', false],
  ['with.example', 'with.example:8443', true],
  ['10.1.2.3', '10.0.0.0/8', false],
  ['11.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '10.1.2.3', false],
  ['10.1.2.3', '2.3', true],
  ['2001:db8::7', '2001:db8::/32', false],
  ['2001:db8::7', '2001:db8:0:0::7', false],
  ['2001:db8::7', '[2001:db8::7]:443', false],
  ['2001:db8::7', '10.0.0.0/8', true],
  ['localhost', 'x.example', false],
  ['127.0.0.9', 'x.example', false],
  ['::1', 'x.example', false],
])('%s beside the exception "%s" leaves by the proxy: %s', (host, entry, isBy) => {
  const proxy = { url: 'http://proxy.example:3128', noProxy: [entry] };

  expect(proxyFor({ host, port: 443 }, proxy) !== undefined).toBe(isBy);
});
