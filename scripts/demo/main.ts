/** `npm start`: the demo appliance, and with --check its proof. */
import { setTimeout as delay } from 'node:timers/promises';
import { playCheck } from './check/main.ts';
import { createFolder } from './folder.ts';
import { OpenParts } from './open-parts.ts';
import { type DemoOptions, parseOptions, USAGE } from './options.ts';
import { writeReadyFile } from './ready-file.ts';
import { type Stack, startStack } from './stack.ts';
import type { SupervisorEvents } from './supervisor.ts';
import { welcome } from './welcome.ts';

/** Exit status after Ctrl-C before everything was up, as shells expect it: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

/** Longest time that the end waits for a part that is starting. */
const LAST_START_DEADLINE_MS = 10_000;

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
  let ready = false;
  let ending = false;
  let starting: Promise<unknown> = Promise.resolve();
  const end = async (status: number): Promise<void> => {
    if (ending) return;
    ending = true;
    await parts.close();
    // A part that is starting meanwhile is ended as soon as it is there; until then it writes into the folder.
    await Promise.race([starting, delay(LAST_START_DEADLINE_MS)]);
    await parts.close();
    await folder.remove();
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
    const starts = startStack(
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
    starting = starts.catch(() => undefined);
    stack = await starts;
    await rewrite();
  } catch (error) {
    // The start failed because of the end, which goes on by itself.
    if (ending) return;
    complain(`npm start: ${error instanceof Error ? error.message : error}`);
    return end(1);
  }
  ready = true;
  if (!check) return say(welcome(stack, folder.path));
  const proved = await playCheck(stack, parts, folder).catch((error: unknown) => {
    if (ending) return false;
    throw error;
  });
  await end(proved ? 0 : 1);
}

/** The first Ctrl-C or SIGTERM ends in order, a second one ends at once, and the kernel ends the children. */
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
