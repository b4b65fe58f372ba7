/** Writes pictures of a day's work in the terminal, with outline and with bitmap fonts, into docs/images/terminal/. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { startProcess } from './stack/managed-process.ts';
import { requireProgram } from './stack/require-program.ts';
import { screenshotWindow } from './stack/screenshot.ts';
import { waitFor } from './stack/wait-for.ts';
import { startXvfb, type Xvfb } from './stack/xvfb.ts';

const PICTURES = resolve('docs/images/terminal');
const GEOMETRY = '96x28';

/** Time without a change after which a picture is finished; one that keeps changing is taken at the deadline. */
const STEADY_MS = 700;
const DEADLINE_MS = 8_000;

/** Pause between two looks. */
const PAUSE_MS = 100;

const outline = ['-fa', 'DejaVu Sans Mono', '-fs', '11', '-fe', 'Noto Color Emoji', '-fd', 'Noto Sans Mono CJK JP'];
const dark = ['-bg', '#1c1c22', '-fg', '#dcdccc'];

/**
 * Runs the scene in namespaces of its own, so that the picture shows only its processes, on a machine called `home`.
 */
const alone = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--uts'];

/** Content of the screen in one picture. */
interface Scene {
  /** Programs it needs. */
  needs: readonly string[];
  /** Runs in `sh` in a clone of this repository, in the home folder. */
  script: string;
  /** Columns and rows, where they are not the usual ones. */
  geometry?: string;
  /** Typed after the program is there: each string as text and Return. */
  typed?: readonly string[];
  /** Actions after that, as arguments of xdotool. */
  done?: readonly (readonly string[])[];
}

/** Text of many scripts, kinds of underlines, colours and lines. */
const page = `
  Emoji      😀 😍 🤖 🎉 🚀 🌍 🐧 🍎 ☕ ⚡ ✅ ❌ ⭐ 🔥 💡 📦
  Sequences  👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🇯🇵 🇫🇷 🇧🇷 1️⃣ #️⃣ ❤️ ❤︎ ☎️ ☎︎ 👍🏻 👍🏿
  Chinese    天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。
  Japanese   いろはにほへと ちりぬるを ワカヨタレソ ツネナラム 漢字
  Korean     모든 국민은 법 앞에 평등하다
  Russian    Съешь же ещё этих мягких французских булок, да выпей чаю
  Greek      Ξεσκεπάζω την ψυχοφθόρα βδελυγμία
  Latin      Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich
  Marks      é à ñ ô ü ạ̈ x̂ ÿ  Math  ∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, ∑∏∫√∞≠≤≥
  Lines      ┌─┬─┐ ╔═╦═╗ ╭─╮ ┏━┳━┓ ░▒▓█ ▁▂▃▄▅▆▇ ⠁⠃⠇⡇⣇⣧⣷⣿ 🬀🬃🬋🬻
  Styles     \\e[1mbold\\e[m \\e[3mitalic\\e[m \\e[1;3mboth\\e[m \\e[2mdim\\e[m \\e[9mstruck\\e[m \\e[53moverline\\e[m \\e[7mreverse\\e[m
  Underlines \\e[4msingle\\e[m \\e[4:2mdouble\\e[m \\e[4:3m\\e[58:5:1mcurly\\e[m \\e[4:4mdotted\\e[m \\e[4:5mdashed\\e[m
`;

/** A shell in this repository, with a prompt of two colours. */
const shell = 'exec bash --noprofile --norc -i';
const prompt = `PS1='\\[\\e[1;32m\\]me@home\\[\\e[m\\]:\\[\\e[1;34m\\]homeport\\[\\e[m\\]\\$ '; clear`;

const scenes: Readonly<Record<string, Scene>> = {
  shell: {
    needs: ['bash', 'git'],
    script: shell,
    typed: [
      prompt,
      'ls --color=always',
      'git --no-pager log --oneline --color=always -6',
      'grep -rn --color=always "^export type" src/termprog/ports | head -5',
      'df -h / | cat',
    ],
  },
  vim: {
    needs: ['vim'],
    script: `exec vim -u NONE -N -n -i NONE -c 'syntax on' -c 'set number cursorline laststatus=2' src/termprog/main.ts`,
  },
  htop: { needs: ['htop'], script: 'sleep 600 & sleep 900 & exec htop --no-mouse' },
  tmux: {
    needs: ['tmux'],
    script: `exec tmux -S "$HOME/tmux" -f /dev/null new-session 'git --no-pager log --format="%Cgreen%h%Creset %s" --stat=45 --color=always -3; cat' \\; split-window -h 'top -b -n 1 | head -40; cat' \\; split-window -v 'cal 2>/dev/null || date; cat'`,
  },
  mc: { needs: ['mc'], script: 'exec mc --nosubshell --nomouse src/termprog docs' },
  search: {
    needs: ['bash', 'git'],
    script: shell,
    typed: [
      prompt,
      'git --no-pager log --color=always --stat=90 -12',
      'git --no-pager diff --stat=60 HEAD~3 | tail -4',
    ],
    done: [
      ['key', 'ctrl+shift+f'],
      ['type', '--delay', '20', 'test'],
      ['key', 'Up', 'Up'],
    ],
  },
  prompts: {
    needs: ['bash', 'git'],
    script: shell,
    typed: [
      `${prompt}; . share/termprog/shell-integration/termprog.bash`,
      'git --no-pager log --oneline --color=always -8',
      'ls --color=always src/termprog/engine',
      'wc -l src/termprog/*.ts',
      'date +%Y',
    ],
    done: [
      ['key', 'ctrl+shift+Up'],
      ['key', 'ctrl+shift+Up'],
    ],
  },
  report: {
    needs: ['bash', 'mount'],
    geometry: '88x16',
    // The picture shows a kernel that readers have, not the one of this machine.
    script: `echo 6.12.57+deb13-amd64 >"$HOME/release" && mount --bind "$HOME/release" /proc/sys/kernel/osrelease; ${shell}`,
    typed: [`homeport-agent() { "$REPOSITORY/bin/homeport-agent" "$@"; }; ${prompt}`, 'homeport-agent report'],
  },
  // The text names files of the program, so it runs from a path like that of an installation.
  welcome: {
    needs: ['mount'],
    script: `mount -t tmpfs none /opt && mkdir /opt/homeport && mount --bind "$REPOSITORY" /opt/homeport &&
      /opt/homeport/bin/termprog -welcome; exec cat`,
  },
  'emoji-and-cjk': { needs: [], script: `printf '\\033[?25l\\033[?2027h'; printf '%b' "$PAGE"; cat` },
};

/** The scenes with outline fonts, and two with bitmap fonts; name -> scene and options. */
const pictures: readonly [name: string, scene: Scene, options: readonly string[]][] = [
  ...Object.entries(scenes).map(([name, scene]): [string, Scene, string[]] => [name, scene, [...outline, ...dark]]),
  ...['shell', 'mc', 'search', 'emoji-and-cjk'].map((name): [string, Scene, string[]] => [
    `${name}-bitmap`,
    scenes[name] as Scene,
    ['-fn', '9x15', ...dark],
  ]),
];

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'homeport-pictures-'));
const xvfb = await startXvfb({ folder });
try {
  await mkdir(PICTURES, { recursive: true });
  await execa('git', ['clone', '--quiet', '--depth', '12', `file://${resolve('.')}`, join(folder, 'homeport')]);
  // The window under the pointer gets the keys.
  await execa('xdotool', ['mousemove', '200', '200'], { env: xvfb.environment });
  for (const [name, scene, options] of pictures) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await Promise.all(scene.needs.map((program) => requireProgram(program)));
    await writeFile(join(PICTURES, `${name}.png`), await takePicture(xvfb, { name, scene, options }));
    console.log(`docs/images/terminal/${name}.png`);
  }
} finally {
  await xvfb.process.stop();
  await rm(folder, { recursive: true });
}

async function takePicture(
  { environment }: Xvfb,
  { name, scene, options }: { name: string; scene: Scene; options: readonly string[] },
): Promise<Buffer> {
  const title = `picture of ${name}`;
  const terminal = startProcess({
    name: 'termprog',
    command: [
      resolve('bin/termprog'),
      '-geometry',
      scene.geometry ?? GEOMETRY,
      '-title',
      title,
      '-xrm',
      '*allowTitleOps: false',
      ...options,
      '-e',
      ...alone,
      'sh',
      '-c',
      `hostname home; ${scene.script}`,
    ],
    cwd: join(folder, 'homeport'),
    env: {
      ...environment,
      HOME: folder,
      PAGE: page,
      REPOSITORY: resolve('.'),
      LC_ALL: 'C.UTF-8',
      LANG: 'C.UTF-8',
    },
    logFile: join(folder, `${name}.log`),
  });
  try {
    const look = (): Promise<Buffer> => screenshotWindow(environment, title);
    await waitFor(`the window of ${name} is there`, look, { process: terminal });
    for (const line of scene.typed ?? []) {
      await steady(look);
      await execa('xdotool', ['type', '--delay', '4', line], { env: environment });
      await execa('xdotool', ['key', 'Return'], { env: environment });
    }
    for (const action of scene.done ?? []) {
      await steady(look);
      await execa('xdotool', action, { env: environment });
    }
    return await steady(look);
  } finally {
    await terminal.stop();
  }
}

/** The picture when it has stopped changing. */
async function steady(look: () => Promise<Buffer>): Promise<Buffer> {
  const start = performance.now();
  let [picture, since] = [await look(), start];
  while (performance.now() - since < STEADY_MS && performance.now() - start < DEADLINE_MS) {
    await delay(PAUSE_MS);
    const next = await look();
    if (!next.equals(picture)) [picture, since] = [next, performance.now()];
  }
  return picture;
}
