import { effectiveDpi, screenDpi, XFT_RESOURCES } from '../../fonts/outline/xft-defaults.ts';
import { type Check, ok } from './check.ts';

/** The X server, its screen, and whether it returns its resources, without which the terminal does not start. */
export const display: Check = {
  name: 'X server',
  look: async (context) => {
    const [{ name, screen }, { resources }] = await Promise.all([context.display, context.configuration]);
    await context.serverResources;
    const { pixel_width: width, pixel_height: heightPixels, mm_height: heightMm, root_depth: depth } = screen;
    const dpi = effectiveDpi({
      dpi: screenDpi({ heightPixels, heightMm }),
      subpixelOrder: 0,
      resources: Object.fromEntries(XFT_RESOURCES.map((each) => [each, resources.xft(each) ?? ''])),
    });
    return ok(`${name}, ${width}x${heightPixels} pixels, ${Math.round(dpi)} dots per inch, depth ${depth}`);
  },
};
