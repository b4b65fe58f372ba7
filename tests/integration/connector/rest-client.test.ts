import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { generate } from 'openapi-typescript-codegen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../harness/agent.ts';
import { agentIn } from '../../harness/person.ts';
import { becomes } from '../../harness/sending.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

let stack: ConnectorStack;
let agent: Agent;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let client: GeneratedClient;

beforeAll(async () => {
  [stack, folder] = await Promise.all([startConnectorStack(), tempFolder()]);
  agent = await agentIn(stack, 'ada', ['#room', '#Ops']);
  await agent.call('go_online');
  const description = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as Record<string, unknown>;
  const output = join(folder.path, 'client');
  await generate({ input: description, output, useOptions: true, useUnionTypes: true });
  const outfile = join(folder.path, 'client.mjs');
  await build({
    entryPoints: [join(output, 'index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  client = (await import(pathToFileURL(outfile).href)) as GeneratedClient;
  client.OpenAPI.TOKEN = agent.accessToken;
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

test('a client generated from the description posts and lists, with the server it names', async () => {
  const { DefaultService } = client;

  const posted = await DefaultService.postChannelMessage({
    channel: 'room',
    requestBody: { text: 'by a generated client' },
  });
  const listed = await DefaultService.listChannelMessages({ channel: 'ROOM', limit: 10 });

  expect(posted).toEqual({ accepted: true, channel: '#room' });
  expect(await DefaultService.getStatus()).toMatchObject({ connected: true, enabled_channels: ['#Ops', '#room'] });
  const [entry] = listed.entries.filter(({ text }) => text === 'by a generated client');
  await becomes(agent, { messageId: entry?.messageId }, 'echoed');
});

test('it throws the error of the description with its status and code', async () => {
  const refused = client.DefaultService.listChannelMessages({ channel: 'nowhere' });

  await expect(refused).rejects.toMatchObject({ status: 404, body: { error: { code: 'channel_not_enabled' } } });
});

/** The client that the generator makes of the description, as far as it is called here. */
interface GeneratedClient {
  OpenAPI: { TOKEN: string };
  DefaultService: {
    getStatus(): Promise<{ connected: boolean; joined_channels: string[]; enabled_channels: string[] }>;
    listChannelMessages(options: { channel: string; limit?: number }): Promise<{
      channel: string;
      entries: { entryId: string; text: string; messageId: string | null }[];
    }>;
    postChannelMessage(options: { channel: string; requestBody: { text: string } }): Promise<{
      accepted: boolean;
      channel: string;
    }>;
  };
}
