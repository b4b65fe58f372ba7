import type { Server } from 'node:http';

/** V8's two optimizing compilers. Its interpreter and its baseline compiler, which ignores types, stay on. */
const WITHOUT_OPTIMIZING = ['--no-maglev', '--no-turbofan'];

/**
 * Turns V8's optimizing compilers off from the first answer on. An agent that is asked four times a minute would run for
 * hours before what they make in its first minutes had paid for itself, and keeps their memory for ever. Not earlier,
 * because V8 takes the compiled form of Node's own modules only under the flags that Node was built with.
 */
export function stopOptimizing(server: Server): void {
  server.once('request', (_request, response) => {
    response.once('close', () => {
      const { setFlagsFromString } = process.getBuiltinModule('node:v8');
      for (const flag of WITHOUT_OPTIMIZING) setFlagsFromString(flag);
    });
  });
}
