import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectAgent, consent } from '../../harness/agent.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { needs } from '../../harness/needs.ts';
import { enableChannels } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { AGENT_PROGRAMS, InstalledProgram } from './clients/agent-programs.ts';
import { installClient } from './clients/installed-client.ts';
import { startScriptedModel } from './clients/scripted-model.ts';

const tried = needs('TRY_CLIENTS=1 and an npm registry');

for (const program of AGENT_PROGRAMS) {
  const { what, name, document } = program;

  if (document !== undefined) {
    tried(`${what} names itself by its document`, async () => {
      await using client = await installClient(name);
      await using stack = await startConnectorStack();
      const endpoint = `${stack.baseUrl}/mcp`;
      const installed = new InstalledProgram(program, client, { endpoint, modelUrl: stack.baseUrl });
      await installed.prepare();
      const { running, request } = await installed.beginSignIn();
      await running.stop();

      expect(Object.fromEntries(request.searchParams)).toMatchObject({
        client_id: document,
        scope: 'irc:read irc:write',
        resource: endpoint,
        code_challenge_method: 'S256',
      });
    });
  }

  tried(`${what} signs in, and its model goes online, says something and reads`, async () => {
    await using client = await installClient(name);
    await using stack = await startConnectorStack({ config: { oauth: { clientDocuments: false } } });
    await enableChannels(stack, 'ada', ['#room']);
    using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
    await using model = await startScriptedModel([
      { tool: 'go_online', args: {} },
      { tool: 'send_message', args: { channel: '#room', text: `hello from ${name}` } },
      { tool: 'read_history', args: { channel: '#room', mode: 'recent', format: 'lines' } },
      { tool: 'read_history', args: { channel: '#room', mode: 'recent', format: 'lines_only' } },
    ]);
    const endpoint = `${stack.baseUrl}/mcp`;
    const installed = new InstalledProgram(program, client, { endpoint, modelUrl: model.url });
    await installed.prepare();
    const environment: Record<string, string> = {};
    if (program.signIn === undefined) {
      await using agent = await connectAgent(stack, 'ada');
      environment['HOMEPORT_TOKEN'] = agent.accessToken;
    } else {
      const { running, request } = await installed.beginSignIn();
      expect(request.searchParams.get('client_id')).toMatch(/^cli_/);
      expect((await fetch(await consent(stack, 'ada', request))).ok).toBe(true);
      await waitFor(`${what} is signed in`, async () => program.signedIn.test(running.output()));
      await running.stop();
    }

    const running = installed.start(program.converse, environment);
    await bob.seen('what the model says', ({ params }) => params.includes(`hello from ${name}`));
    await waitFor('the model has read', async () => model.results.length === 4, { process: running });
    await running.stop();

    expect(model.offered.filter((tool) => tool.includes('homeport'))).toHaveLength(8);
    const [, , read = '', only = ''] = model.results;
    expect(read).toContain(`hello from ${name}`);
    expect(read.includes('"entryId"') ? 'structured content' : 'text').toBe(program.modelReads);
    expect(only).toContain(`ada: hello from ${name}`);
    expect(only).not.toContain('"entryId"');
  });
}
