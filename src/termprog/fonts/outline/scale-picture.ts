/** A picture of bytes, `channels` of them a pixel, rows without padding. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 4;
  readonly pixels: Uint8Array;
}

/**
 * A picture at another size, of at least one pixel. Every new pixel is the mean of the area it covers, so that none of
 * the old ones gets lost; colours have to be premultiplied by their alpha.
 */
export function scalePicture(picture: Picture, width: number, height: number): Picture {
  if (width === picture.width && height === picture.height) return picture;
  return scaleRows(scaleColumns(picture, width), height);
}

function scaleColumns({ width, height, channels, pixels }: Picture, newWidth: number): Picture {
  const scaled = new Uint8Array(newWidth * height * channels);
  for (let x = 0; x < newWidth; x++) {
    const { first, shares } = areaOf(x, width / newWidth, width);
    for (let y = 0; y < height; y++) {
      for (let channel = 0; channel < channels; channel++) {
        let at = (y * width + first) * channels + channel;
        let sum = 0;
        for (const share of shares) {
          sum += (pixels[at] ?? 0) * share;
          at += channels;
        }
        scaled[(y * newWidth + x) * channels + channel] = sum + 0.5;
      }
    }
  }
  return { width: newWidth, height, channels, pixels: scaled };
}

function scaleRows({ width, height, channels, pixels }: Picture, newHeight: number): Picture {
  const stride = width * channels;
  const scaled = new Uint8Array(stride * newHeight);
  for (let y = 0; y < newHeight; y++) {
    const { first, shares } = areaOf(y, height / newHeight, height);
    for (let x = 0; x < stride; x++) {
      let at = first * stride + x;
      let sum = 0;
      for (const share of shares) {
        sum += (pixels[at] ?? 0) * share;
        at += stride;
      }
      scaled[y * stride + x] = sum + 0.5;
    }
  }
  return { width, height: newHeight, channels, pixels: scaled };
}

/**
 * Which pixels of a line a new one covers, and how much of its own area each makes up.
 * @param step width of a new pixel in old ones
 * @param count of old ones
 */
function areaOf(pixel: number, step: number, count: number): { first: number; shares: number[] } {
  const start = pixel * step;
  const end = Math.min(start + step, count);
  const first = Math.floor(start);
  const shares = [];
  for (let at = first; at < end; at++) shares.push((Math.min(end, at + 1) - Math.max(start, at)) / step);
  return { first, shares };
}
