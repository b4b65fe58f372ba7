/**
 * The least that a program in Node.js does until its first text is on the screen: it connects, opens a window at the corner
 * of the screen and draws in it when it is exposed. It ends with its X server, as a terminal does.
 */
const x11 = require('x11');

const [WIDTH, HEIGHT] = [480, 312];
const [LEFT, BASELINE] = [2, 12];

x11
  .createClient((error, display) => {
    if (error) throw error;
    const { client, screen } = display;
    const [{ root, white_pixel: white, black_pixel: black }] = screen;
    const [window, context, font] = [client.AllocID(), client.AllocID(), client.AllocID()];
    client.CreateWindow(window, root, 0, 0, WIDTH, HEIGHT, 0, 0, 0, 0, {
      backgroundPixel: white,
      eventMask: x11.eventMask.Exposure,
    });
    client.OpenFont(font, 'fixed');
    client.CreateGC(context, window, { foreground: black, background: white, font });
    client.MapWindow(window);
    client.on('event', () => client.PolyText8(window, context, LEFT, BASELINE, ['first text']));
  })
  .on('error', () => process.exit(1))
  .on('end', () => process.exit(0));
