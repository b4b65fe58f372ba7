import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { startSoju } from '../../../scripts/stack/soju.ts';
import { minimalConnector } from '../../harness/nix/configurations.ts';
import { evaluate } from '../../harness/nix/nix.ts';

const folder = mkdtempSync(join(tmpdir(), 'homeport-bouncer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The script of the module, for a soju of this machine: other places, and a group this process may give files to. */
async function handOverScript(config: string, socket: string): Promise<string> {
  const { stdout: group } = await execa('id', ['-gn']);
  const unit = (await evaluate(`
    (import ./tests/harness/nix/evaluate.nix {
      modules = [
        ./modules
        ({ pkgs, ... }: { ${minimalConnector} })
        { services.homeport.connector.soju.enable = true; services.soju.package = "/usr"; }
      ];
      replaced = { coreutils = "/usr"; writeText = _: _: "${config}"; writeShellScript = _: text: text; };
    }).units.soju
  `)) as string;
  const script = unit.slice(unit.indexOf('ExecStartPost=+') + 'ExecStartPost=+'.length);
  return script.replaceAll('/run/soju/admin', socket).replaceAll('homeport-soju', group);
}

test('the admin socket is handed over once soju answers, however late that is', async () => {
  const socket = join(folder, 'admin.sock');
  const script = await handOverScript(join(folder, 'soju.conf'), socket);
  const handOver = startProcess({ name: 'hand-over', command: ['sh', '-c', script] });

  const soju = await startSoju({ folder });
  const { exitCode } = await handOver.ended;
  const mode = statSync(socket).mode & 0o777;
  await soju.process.stop();

  expect({ exitCode, mode: mode.toString(8) }, handOver.output()).toEqual({ exitCode: 0, mode: '660' });
});
