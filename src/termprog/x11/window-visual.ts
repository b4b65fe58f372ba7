import type { Screen } from 'x11';
import type { XConnection } from './x-connection.ts';

/** The format of a window's pixels: each channel's bits in a pixel value. */
export interface WindowVisual {
  readonly id: number;
  /** Bits of a pixel value. */
  readonly depth: number;
  readonly colormap: number;
  readonly redMask: number;
  readonly greenMask: number;
  readonly blueMask: number;
  /** If 0, pixels have no alpha. Colours of a window with alpha are premultiplied by it. */
  readonly alphaMask: number;
}

/** The server's description of a visual; X11 protocol, VISUALTYPE. */
type VisualType = Screen['depths'][number][number];

type Masks = Pick<WindowVisual, 'redMask' | 'greenMask' | 'blueMask'>;

/** The parts of a connection that are used. */
interface VisualParts {
  client: Pick<XConnection['client'], 'AllocID' | 'CreateColormap'>;
  screen: Screen;
}

const ARGB_DEPTH = 32;
const TRUE_COLOR = 4;
const ALLOCATE_NONE = 0;

/** Returns the default visual of the screen. */
export function rootVisual(screen: Screen): WindowVisual {
  const { root_depth: depth, root_visual: id, default_colormap: colormap } = screen;
  const masks = masksOf(screen.depths[depth]?.[id]);
  return { id, depth, colormap, ...masks, alphaMask: 0 };
}

/**
 * Returns the visual of the screen. If its pixels are indices of a palette, as with 8 bits, returns the deepest one
 * that has channels, with its own colormap; undefined if there is none.
 */
export function usualVisual({ client, screen }: VisualParts): WindowVisual | undefined {
  const root = rootVisual(screen);
  if (hasColors(root)) return root;
  const [deepest] = Object.entries(screen.depths)
    .flatMap(([depth, types]) => Object.entries(types).map(([id, type]) => ({ depth: Number(depth), id, type })))
    .filter(({ depth, type }) => depth < ARGB_DEPTH && isTrueColor(type))
    .sort((one, other) => other.depth - one.depth);
  if (deepest === undefined) return undefined;
  const { depth, id, type } = deepest;
  return {
    id: Number(id),
    depth,
    colormap: createColormap(client, screen, Number(id)),
    ...masksOf(type),
    alphaMask: 0,
  };
}

/** Whether pixels consist of channels instead of palette indices: a channel without bits would never be seen. */
function hasColors({ redMask, greenMask, blueMask }: Masks): boolean {
  return redMask !== 0 && greenMask !== 0 && blueMask !== 0;
}

function isTrueColor(type: VisualType): boolean {
  return type.class === TRUE_COLOR && hasColors(masksOf(type));
}

/**
 * Creates the colormap for a visual whose pixels have alpha, as windows need whose visual differs from their parent's;
 * undefined if the screen has no such visual.
 */
export function createArgbVisual({ client, screen }: VisualParts): WindowVisual | undefined {
  const types = Object.entries(screen.depths[ARGB_DEPTH] ?? {});
  const [id, type] = types.find(([, candidate]) => isTrueColor(candidate) && alphaOf(candidate) !== 0) ?? [];
  if (id === undefined || type === undefined) return undefined;
  const colormap = createColormap(client, screen, Number(id));
  return { id: Number(id), depth: ARGB_DEPTH, colormap, ...masksOf(type), alphaMask: alphaOf(type) };
}

function createColormap(client: VisualParts['client'], { root }: Screen, visual: number): number {
  const id = client.AllocID();
  client.CreateColormap(id, root, visual, ALLOCATE_NONE);
  return id;
}

function masksOf(type: VisualType | undefined): Masks {
  return {
    redMask: type?.red_mask ?? 0xff0000,
    greenMask: type?.green_mask ?? 0xff00,
    blueMask: type?.blue_mask ?? 0xff,
  };
}

/** Returns the bits that no colour uses. */
function alphaOf({ red_mask: red, green_mask: green, blue_mask: blue }: VisualType): number {
  return ~(red | green | blue) >>> 0;
}
