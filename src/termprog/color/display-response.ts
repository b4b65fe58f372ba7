/**
 * The display that X assumes without a description: its brightness at each level of a channel. Levels from 0 to
 * `lastDark` are black; after it, intensities are given for every fifth level up to 255. The numbers are facts of
 * libX11, which measured a cathode ray tube; the server's root window may describe another display, which is not read.
 */
interface Channel {
  lastDark: number;
  intensities: readonly number[];
}

const STEP = 5;

const RED: Channel = {
  lastDark: 9,
  intensities: [
    0.000936, 0.001481, 0.002329, 0.003529, 0.005127, 0.007169, 0.009699, 0.012759, 0.016392, 0.020637, 0.025533,
    0.031119, 0.037431, 0.044504, 0.052373, 0.061069, 0.070624, 0.08107, 0.092433, 0.104744, 0.118026, 0.132307,
    0.14761, 0.163958, 0.181371, 0.199871, 0.219475, 0.240202, 0.262069, 0.285089, 0.309278, 0.334647, 0.361208,
    0.388971, 0.417945, 0.448138, 0.479555, 0.512202, 0.546082, 0.581199, 0.617552, 0.655144, 0.693971, 0.734031,
    0.775322, 0.817837, 0.861571, 0.906515, 0.952662, 1,
  ],
};

const GREEN: Channel = {
  lastDark: 19,
  intensities: [
    0.000832, 0.001998, 0.003612, 0.005736, 0.008428, 0.011745, 0.01574, 0.020463, 0.02596, 0.032275, 0.039449,
    0.047519, 0.05652, 0.066484, 0.077439, 0.089409, 0.102418, 0.116485, 0.131625, 0.147853, 0.165176, 0.183604,
    0.20314, 0.223783, 0.245533, 0.268384, 0.292327, 0.317351, 0.343441, 0.37058, 0.398747, 0.427919, 0.458068,
    0.489165, 0.521176, 0.554067, 0.587797, 0.622324, 0.657604, 0.693588, 0.730225, 0.767459, 0.805235, 0.843491,
    0.882164, 0.921187, 0.96049, 1,
  ],
};

const BLUE: Channel = {
  lastDark: 14,
  intensities: [
    0.001341, 0.00208, 0.003188, 0.004729, 0.006766, 0.009357, 0.012559, 0.016424, 0.021004, 0.026344, 0.032489,
    0.039481, 0.047357, 0.056154, 0.065903, 0.076634, 0.088373, 0.101145, 0.114968, 0.129862, 0.145841, 0.162915,
    0.181095, 0.200386, 0.220791, 0.242309, 0.264937, 0.28867, 0.313499, 0.33941, 0.36639, 0.394421, 0.423481, 0.453547,
    0.484592, 0.516587, 0.549498, 0.583291, 0.617925, 0.653361, 0.689553, 0.726454, 0.764013, 0.802178, 0.840891,
    0.880093, 0.919723, 0.959715, 1,
  ],
};

/** Returns the 8-bit levels that show three intensities, which range from 0 to 1. */
export function levelsOf([red, green, blue]: readonly [number, number, number]): [number, number, number] {
  return [levelOf(RED, red), levelOf(GREEN, green), levelOf(BLUE, blue)];
}

function levelOf({ lastDark, intensities }: Channel, intensity: number): number {
  if (intensity <= 0) return 0;
  const above = intensities.findIndex((known) => known >= intensity);
  if (above < 0) return 255;
  const highLevel = lastDark + 1 + STEP * above;
  if (intensities[above] === intensity) return highLevel;
  const [lowLevel, low] = above === 0 ? [lastDark, 0] : [highLevel - STEP, intensities[above - 1] ?? 0];
  const share = (intensity - low) / ((intensities[above] ?? 1) - low);
  // Computed in the 16 bits of a colour in X, where a level is repeated in both bytes.
  const exact = Math.floor((highLevel - lowLevel) * 0x101 * share) + lowLevel * 0x101;
  return nearestLevel(exact);
}

function nearestLevel(exact: number): number {
  const level = exact >> 8;
  const isBelow = level * 0x101 < exact;
  const [down, up] = isBelow ? [level, Math.min(level + 1, 255)] : [Math.max(level - 1, 0), level];
  return up * 0x101 - exact < exact - down * 0x101 ? up : down;
}
