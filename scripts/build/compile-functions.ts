import type { Debugger, Session } from 'node:inspector';

/**
 * Compiles the functions at these offsets of a script that has run. V8 compiles a function when it is asked where a
 * debugger may stop in it.
 */
export function compileFunctions(
  session: Session,
  { filename, text }: { filename: string; text: string },
  offsets: readonly number[],
): void {
  const scriptId = idOfScript(session, filename);
  const place = placesIn(text);
  for (const offset of offsets) {
    const range: Debugger.GetPossibleBreakpointsParameterType = {
      start: { scriptId, ...place(offset) },
      end: { scriptId, ...place(offset + 1) },
      restrictToFunction: true,
    };
    session.post('Debugger.getPossibleBreakpoints', range, (error) => {
      if (error !== null) throw new Error(`V8 does not compile a function of ${filename}: ${error.message}`);
    });
  }
  session.post('Debugger.disable');
}

function idOfScript(session: Session, filename: string): string {
  let found: string | undefined;
  session.on('Debugger.scriptParsed', ({ params: { url, scriptId } }) => {
    if (url.endsWith(filename)) found = scriptId;
  });
  session.post('Debugger.enable');
  if (found === undefined) throw new Error(`V8 does not tell debuggers of ${filename}`);
  return found;
}

/** Lines and columns of offsets. */
function placesIn(text: string): (offset: number) => { lineNumber: number; columnNumber: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let first = 0;
    let last = starts.length - 1;
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { lineNumber: first, columnNumber: offset - (starts[first] ?? 0) };
  };
}
