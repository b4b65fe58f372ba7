/**
 * The least that a program in Node.js does until its first text is on the screen: it connects, opens a window at the corner
 * of the screen and draws in it when it is exposed. Then it is the least that shows keys as a terminal does: it writes an x
 * for each into a pseudo-terminal, and draws what the kernel echoes. It ends with its X server, as a terminal does.
 */
const x11 = require('x11');

const [WIDTH, HEIGHT] = [480, 312];
const [LEFT, BASELINE, CELL] = [2, 12, 6];

/** Numbers of X events; X11 protocol. */
const [KEY_PRESS, EXPOSE] = [2, 12];

/** Values of Linux. */
const [O_RDWR, O_NOCTTY, O_NONBLOCK] = [0o2, 0o400, 0o4000];
const ECHO_MAX_BYTES = 4096;

x11
  .createClient((error, display) => {
    if (error) throw error;
    const { client, screen } = display;
    const [{ root, white_pixel: white, black_pixel: black }] = screen;
    const [window, context, font] = [client.AllocID(), client.AllocID(), client.AllocID()];
    client.CreateWindow(window, root, 0, 0, WIDTH, HEIGHT, 0, 0, 0, 0, {
      backgroundPixel: white,
      eventMask: x11.eventMask.Exposure | x11.eventMask.KeyPress,
    });
    client.OpenFont(font, 'fixed');
    client.CreateGC(context, window, { foreground: black, background: white, font });
    client.MapWindow(window);
    let column = 0;
    let writeKey;
    const drawEcho = (text) => {
      client.ImageText8(window, context, LEFT + CELL * column, BASELINE, text);
      column += text.length;
    };
    client.on('event', ({ type }) => {
      if (type === EXPOSE) client.PolyText8(window, context, LEFT, BASELINE, ['first text']);
      if (type !== KEY_PRESS) return;
      // Only with the first key, for the start does not need it.
      writeKey ??= openTerminal(drawEcho);
      writeKey();
    });
  })
  .on('error', () => process.exit(1))
  .on('end', () => process.exit(0));

/** Opens a pseudo-terminal that nobody reads; returns a function that writes an x into it, whose echo comes to `onEcho`. */
function openTerminal(onEcho) {
  const koffi = require('koffi');
  const { ReadStream } = require('node:tty');
  const { openSync } = require('node:fs');
  const libc = koffi.load('libc.so.6');
  const name = Buffer.alloc(128);
  const master = libc.func('int posix_openpt(int flags)')(O_RDWR | O_NOCTTY | O_NONBLOCK);
  libc.func('int grantpt(int fd)')(master);
  libc.func('int unlockpt(int fd)')(master);
  libc.func('int ptsname_r(int fd, void *name, size_t length)')(master, name, name.length);
  // The echo needs somebody who has the terminal open.
  openSync(name.toString('latin1', 0, name.indexOf(0)), O_RDWR | O_NOCTTY);
  const write = libc.func('long write(int fd, const void *bytes, size_t length)');
  const buffer = Buffer.alloc(ECHO_MAX_BYTES);
  const echo = new ReadStream(master, {
    onread: {
      buffer,
      callback: (length) => {
        onEcho(buffer.latin1Slice(0, length));
        return true;
      },
    },
  });
  echo.resume();
  const key = Buffer.from('x');
  return () => write(master, key, key.length);
}
