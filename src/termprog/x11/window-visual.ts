import type { Screen } from 'x11';
import type { XConnection } from './connection.ts';

/** How the pixels of a window are made: each channel's bits in a pixel value. */
export interface WindowVisual {
  readonly id: number;
  /** Bits of a pixel value. */
  readonly depth: number;
  readonly colormap: number;
  readonly redMask: number;
  readonly greenMask: number;
  readonly blueMask: number;
  /** 0: pixels have no alpha. Colours of a window with alpha are premultiplied by it. */
  readonly alphaMask: number;
}

/** What a server says of a visual; X11 protocol, VISUALTYPE. */
type VisualType = Screen['depths'][number][number];

type Masks = Pick<WindowVisual, 'redMask' | 'greenMask' | 'blueMask'>;

/** What is needed of a connection. */
interface VisualParts {
  client: Pick<XConnection['client'], 'AllocID' | 'CreateColormap'>;
  screen: Screen;
}

const ARGB_DEPTH = 32;
const TRUE_COLOR = 4;
const ALLOCATE_NONE = 0;

/** The visual that windows have which ask for no other. */
export function rootVisual(screen: Screen): WindowVisual {
  const { root_depth: depth, root_visual: id, default_colormap: colormap } = screen;
  const masks = masksOf(screen.depths[depth]?.[id]);
  return { id, depth, colormap, ...masks, alphaMask: 0 };
}

/**
 * The visual of the screen. Where its pixels are numbers of a palette, as with 8 bits, the deepest one that has colours,
 * with a colormap of its own; undefined when there is none.
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

/** Its pixels are made of channels, not of numbers of a palette: a channel without bits would never be seen. */
function hasColors({ redMask, greenMask, blueMask }: Masks): boolean {
  return redMask !== 0 && greenMask !== 0 && blueMask !== 0;
}

function isTrueColor(type: VisualType): boolean {
  return type.class === TRUE_COLOR && hasColors(masksOf(type));
}

/**
 * A visual whose pixels have alpha, with a colormap of its own, as windows of another visual than their parent's need;
 * undefined when the screen has none.
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

/** The bits that no colour has. */
function alphaOf({ red_mask: red, green_mask: green, blue_mask: blue }: VisualType): number {
  return ~(red | green | blue) >>> 0;
}
