import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const DEADLINE_MS = 120_000;

/** A certificate authority of the tests' own, as people run one inside their network. */
export interface TestAuthority {
  /** The authority's certificate in PEM, and the file that has it. */
  certificate: string;
  file: string;
  /** A key and a certificate of that authority for these names: `DNS:hooks.example`, `IP:127.0.0.1`. */
  issue(...names: string[]): Promise<{ key: string; cert: string }>;
}

export async function createAuthority(folder: string): Promise<TestAuthority> {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]) => execa('openssl', args, { cwd: folder, timeout: DEADLINE_MS });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'authority.key', '-out', 'authority.crt'],
    ...['-subj', '/CN=Authority of the tests', '-days', '2'],
  );
  let issued = 0;
  return {
    certificate: await readFile(at('authority.crt'), 'utf8'),
    file: at('authority.crt'),
    issue: async (...names) => {
      issued += 1;
      const name = `server-${issued}`;
      await writeFile(at(`${name}.ext`), `subjectAltName=${names.join(',')}\n`);
      await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      await openssl(
        ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'authority.crt', '-CAkey', 'authority.key'],
        ...['-CAcreateserial', '-out', `${name}.crt`, '-days', '1', '-extfile', `${name}.ext`],
      );
      return { key: await readFile(at(`${name}.key`), 'utf8'), cert: await readFile(at(`${name}.crt`), 'utf8') };
    },
  };
}
