/** Facts about a package's licence that the package lacks, looked up in its repository. */
interface Known {
  licence: string;
  /** Copyright lines; undefined if the package has the text and only lacks the licence's name. */
  holders?: readonly string[];
}

const koffi: Known = {
  licence: 'MIT',
  holders: ['Copyright (C) 2026 Niels Martignène <niels.martignene@protonmail.com>'],
};

const known: Readonly<Record<string, Known>> = {
  '@koromix/koffi-linux-arm64': koffi,
  '@koromix/koffi-linux-x64': koffi,
  '@xterm/headless': {
    licence: 'MIT',
    holders: [
      'Copyright (c) 2017-2019, The xterm.js authors (https://github.com/xtermjs/xterm.js)',
      'Copyright (c) 2014-2016, SourceLair Private Company (https://www.sourcelair.com)',
      'Copyright (c) 2012-2013, Christopher Jeffrey (https://github.com/chjj/)',
    ],
  },
  'koa-compose': { licence: 'MIT', holders: ['Copyright (c) 2013 TJ Holowaychuk'] },
  'middleware-handler': { licence: 'MIT' },
  'pg-types': { licence: 'MIT', holders: ['Copyright (c) 2014 Brian M. Carlson'] },
  pgpass: { licence: 'MIT', holders: ['Copyright (c) 2013-2016 Hannes Hörl'] },
  standardwebhooks: { licence: 'MIT', holders: ['Copyright (c) Standard Webhooks'] },
  x11: { licence: 'MIT' },
};

/** @see https://spdx.org/licenses/MIT.html */
const MIT_TERMS = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/** The licence of a package that lacks its name or its text; undefined for all others. */
export function licenceWithoutText(name: string): { licence: string; text: string | undefined } | undefined {
  if (!Object.hasOwn(known, name)) return undefined;
  const { licence, holders } = known[name] as Known;
  return { licence, text: holders === undefined ? undefined : `MIT License\n\n${holders.join('\n')}\n\n${MIT_TERMS}` };
}
