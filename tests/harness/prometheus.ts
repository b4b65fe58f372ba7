import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';

export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Prometheus extends AsyncDisposable {
  /** Result of an instant query. @throws Error with Prometheus' own words */
  query(expression: string): Promise<Sample[]>;
}

/** Starts a real Prometheus with this configuration file's text, its data in `directory`. */
export async function startPrometheus(directory: string, config: string): Promise<Prometheus> {
  const [port, configFile] = [await freePort(), join(directory, 'prometheus.yml')];
  writeFileSync(configFile, config);
  const server = startProcess({
    name: 'prometheus',
    command: [
      'prometheus',
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  });
  const query = async (expression: string): Promise<Sample[]> => {
    const body = new URLSearchParams({ query: expression });
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, { method: 'POST', body });
    const answer = (await response.json()) as { status: string; error?: string; data?: { result: Sample[] } };
    if (answer.data === undefined) throw new Error(`${expression}: ${answer.error}`);
    return answer.data.result;
  };
  try {
    await waitFor('Prometheus is ready', async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, {
      process: server,
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { query, [Symbol.asyncDispose]: () => server.stop() };
}
