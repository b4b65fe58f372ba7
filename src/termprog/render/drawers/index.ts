import { createBoxDrawer } from './box.ts';
import type { CreateDrawer } from './drawer.ts';
import { createNamedFaceDrawer, createSystemFaceDrawer } from './outline.ts';
import { createFallbackProceduralDrawer, createFirstProceduralDrawer } from './procedural.ts';
import { createCoreFontDrawer } from './server-font.ts';
import { createFallbackSmoothDrawer, createFirstSmoothDrawer } from './smooth-procedural.ts';

/** All drawers in the order in which they are tried; the last one draws every character. */
export const drawers: readonly CreateDrawer[] = [
  createFirstSmoothDrawer,
  createFirstProceduralDrawer,
  createNamedFaceDrawer,
  createCoreFontDrawer,
  createFallbackSmoothDrawer,
  createFallbackProceduralDrawer,
  createSystemFaceDrawer,
  createBoxDrawer,
];
