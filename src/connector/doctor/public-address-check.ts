import { ask } from './ask.ts';
import { type Check, ok, problem } from './check.ts';

export const publicAddress: Check = {
  name: 'base URL',
  examine: async ({ config }) => {
    const url = `${config.baseUrl}/healthz`;
    const answer = await ask(url);
    if (typeof answer === 'object' && answer.body?.['ok'] === true) return ok(`${config.baseUrl} reaches a connector`);
    const says = typeof answer === 'string' ? `${url}: ${answer}` : `${url} answers ${answer.status}, not {"ok":true}`;
    const { address, port } = config.listen;
    const own = await ask(`http://${address.includes(':') ? `[${address}]` : address}:${port}/healthz`);
    return typeof own === 'string'
      ? problem(says, `start the connector: no program listens on ${address} port ${port} either`)
      : problem(
          says,
          `have the proxy of baseUrl pass requests to ${address} port ${port}, where the connector answers`,
        );
  },
};
