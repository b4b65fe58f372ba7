/** `npm start`: the demo appliance, and with --check its proof. */
import { playCheck } from './check/main.ts';
import { createFolder } from './folder.ts';
import { type DemoOptions, parseOptions, USAGE } from './options.ts';
import { writeReadyFile } from './ready-file.ts';
import { OpenParts, type Stack, startStack } from './stack.ts';
import type { SupervisorEvents } from './supervisor.ts';
import { welcome } from './welcome.ts';

/** Exit status after Ctrl-C before everything was up, as shells expect it: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

const say = (text: string): void => console.log(text);
const complain = (text: string): void => console.error(text);

async function main(): Promise<void> {
  let options: DemoOptions | undefined;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    complain(`npm start: ${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exitCode = 64;
    return;
  }
  if (options === undefined) say(USAGE);
  else await runDemo(options);
}

async function runDemo({ check, readyFile }: DemoOptions): Promise<void> {
  const folder = await createFolder();
  const parts = new OpenParts();
  parts.add(() => folder.remove());
  let ready = false;
  const end = async (status: number): Promise<void> => {
    await parts.close();
    process.exit(status);
  };
  onInterrupt(() => {
    complain('\nending ...');
    void end(ready && !check ? 0 : EXIT_INTERRUPTED);
  });

  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
  let stack: Stack | undefined;
  const rewrite = async (): Promise<void> => {
    if (readyFile !== undefined && stack !== undefined) await writeReadyFile(readyFile, stack);
  };
  try {
    stack = await startStack(
      {
        folder,
        display: process.env['DISPLAY'],
        // The check must not wait for a person's start-up files, nor end a shell in the middle of them.
        shell: check ? '/bin/sh' : undefined,
        started: (what) => say(`${seconds()}  ${what}`),
        events: reporting(
          () => void rewrite(),
          () => void end(1),
        ),
      },
      parts,
    );
    await rewrite();
  } catch (error) {
    complain(`npm start: ${error instanceof Error ? error.message : error}`);
    return end(1);
  }
  ready = true;
  if (!check) return say(welcome(stack, folder.path));
  const proved = await playCheck(stack, parts);
  await end(proved ? 0 : 1);
}

/** The first Ctrl-C or SIGTERM ends in order, a second one at once; the kernel then ends the children. */
function onInterrupt(interrupt: () => void): void {
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (interrupted) process.exit(EXIT_INTERRUPTED);
      interrupted = true;
      interrupt();
    });
  }
}

function reporting(changed: () => void, broken: () => void): SupervisorEvents {
  return {
    ended: (name, how) => say(`${name} ended (${how}), starting it again`),
    restarted: (name, pid) => {
      say(`${name} is up again as process ${pid}`);
      changed();
    },
    finished: (name) => say(`${name} was closed`),
    gaveUp: (name, reason) => {
      complain(`npm start: ${name} can't be kept running: ${reason}`);
      broken();
    },
  };
}

await main();
