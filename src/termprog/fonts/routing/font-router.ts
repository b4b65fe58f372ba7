import type { Diagnostics } from '../../diagnostics.ts';
import type { Face } from '../outline/face.ts';
import type { FaceCandidate, FaceRequest, FaceSource, FaceVariant } from '../outline/face-source.ts';
import { drawnCodePoints, kindOf } from './cluster-kind.ts';
import { type Fit, fitCluster, type WantedCluster, wantsColor } from './fit-cluster.ts';
import { NamedFaces } from './named-faces.ts';
import { type NotOpened, OpenedFaces, VARIANTS, variantIndex } from './opened-faces.ts';
import { ROLE_ORDER, type Role } from './role-order.ts';
import { type ClusterRequest, type FaceRoute, MISSING, type Route, type RouteStep } from './route.ts';
import type { Refusal, RoutingNotes } from './routing-records.ts';
import type { RoutingSettings } from './routing-settings.ts';
import { SystemFaces } from './system-faces.ts';

/** Most cached routes per step. */
const ROUTES_MAX = 4_096;

/** Most system faces that one cluster may open: one that fits no face must not use up the budget at once. */
const OPENED_FOR_A_CLUSTER_MAX = 8;

const TOO_MANY = `is not opened: ${OPENED_FOR_A_CLUSTER_MAX} faces were opened for this cluster`;

const PLAIN: FaceVariant = { isBold: false, isItalic: false };

/** The parts of a router. */
export interface FontRouterParts {
  readonly source: FaceSource;
  readonly settings: RoutingSettings;
  /**
   * Returns the primary face in a variant, which determines the slot's cell; undefined if there is none. The router
   * does not close it.
   */
  primary(variant: FaceVariant): Face | undefined;
  /** Request of the primary face; the system's faces are sorted by how well they fit it. */
  readonly request: Pick<FaceRequest, 'pattern' | 'size' | 'overridesSize'>;
  /** Size in pixels. */
  readonly cell: { readonly width: number; readonly height: number };
  readonly diagnostics: Pick<Diagnostics, 'warning'>;
  /** Records font decisions; undefined when they are not collected. */
  readonly notes?: RoutingNotes | undefined;
}

/** State of the search for one cluster's face. */
interface Search extends WantedCluster {
  readonly isBold: boolean;
  readonly variant: FaceVariant;
  readonly refusals: Refusal[];
  /** The too wide face that would be shrunk least; the first among equals. */
  shrunk: FaceRoute | undefined;
}

/**
 * Finds the face for a cluster among those of one slot, in the order of the roles. It opens faces on demand, owns them
 * until `close`, and caches the routes.
 */
export class FontRouter {
  readonly #parts: FontRouterParts;
  /** Size of all faces whose patterns set none. */
  readonly #size: Pick<FaceRequest, 'size' | 'overridesSize'>;
  readonly #opened: OpenedFaces;
  readonly #named: NamedFaces;
  /** Faces by variant, first the lists without colours, then those with colours. */
  readonly #systemFaces: (SystemFaces | undefined)[] = Array.from({ length: 2 * VARIANTS });
  readonly #routes: Readonly<Record<RouteStep, Map<string, Route>>> = { named: new Map(), system: new Map() };

  constructor(parts: FontRouterParts) {
    this.#parts = parts;
    const { source, diagnostics, request } = parts;
    const { pattern: _, ...asked } = request;
    // If the primary face's pattern sets a size, the other faces get the same.
    const pixels = parts.primary(PLAIN)?.pixelSize;
    this.#size = pixels === undefined ? asked : { ...asked, size: { pixels } };
    this.#opened = new OpenedFaces(diagnostics);
    this.#named = new NamedFaces({ source, diagnostics, opened: this.#opened, size: this.#size });
  }

  /** Returns the route of a cluster among the faces of a step; the system's are tried when no named one serves. */
  route(request: ClusterRequest, step: RouteStep): Route {
    const routes = this.#routes[step];
    const key = keyOf(request);
    const known = routes.get(key);
    if (known !== undefined) return known;
    const route = this.#find(request, step);
    if (routes.size >= ROUTES_MAX) routes.clear();
    routes.set(key, route);
    return route;
  }

  /** Closes the faces that it has opened. */
  close(): void {
    this.#opened.close();
    for (const routes of Object.values(this.#routes)) routes.clear();
  }

  #find(request: ClusterRequest, step: RouteStep): Route {
    const { settings, notes, cell, primary } = this.#parts;
    const kind = kindOf(request.codePoints, settings.emojiPresentation);
    const search: Search = {
      kind,
      codePoints: drawnCodePoints(request.codePoints),
      cells: request.cells,
      cell,
      isBold: request.isBold,
      // Emoji have no weight: one face serves all styles.
      variant: kind === 'emoji' ? PLAIN : { isBold: request.isBold, isItalic: request.isItalic },
      refusals: [],
      shrunk: undefined,
    };
    const route = step === 'named' ? this.#askNamed(search, false) : this.#askSystem(search);
    notes?.note({
      request,
      kind,
      pixelSize: primary(PLAIN)?.pixelSize ?? 0,
      route,
      askedSystem: step === 'system',
      refusals: search.refusals,
    });
    return route ?? MISSING;
  }

  #askNamed(search: Search, isLastResort: boolean): FaceRoute | undefined {
    for (const role of ROLE_ORDER) {
      if (role.name === 'system' || !role.serves(search)) continue;
      const route = this.#askRole(role, search, isLastResort);
      if (route !== undefined) return route;
    }
    return undefined;
  }

  #askRole(role: Role, search: Search, isLastResort: boolean): FaceRoute | undefined {
    const { settings, primary } = this.#parts;
    const { name } = role;
    if (name === 'system') return undefined;
    if (name === 'primary') {
      const face = primary(search.variant);
      if (face !== undefined) this.#opened.adopt(face, search.variant);
      return face && this.#try(face, role, search, { label: face.family, isLastResort });
    }
    const { codePoints } = search;
    const variant = role.isBoldByName ? { ...search.variant, isBold: false } : search.variant;
    const budget = role.isFallback ? settings.limitFontsets : undefined;
    for (const named of settings.patterns[name]) {
      const face = this.#named.find(named, variant, { codePoints, budget });
      const route = this.#try(face, role, search, { label: `${named.resource} "${named.pattern}"`, isLastResort });
      if (route !== undefined) return route;
    }
    return undefined;
  }

  /**
   * Tries system faces with the wanted colours, then named faces with other colours, then such system faces; if all
   * faces with the cluster are too wide, it returns the best one, shrunk.
   */
  #askSystem(search: Search): FaceRoute | undefined {
    const { settings } = this.#parts;
    const isAllowed = settings.systemFallback && settings.limitFontsets > 0;
    const candidates = isAllowed ? this.#systemFacesFor(search).covering(search.codePoints) : [];
    const [suited, others] = partitionBySuit(candidates, search, settings);
    const opening = { left: OPENED_FOR_A_CLUSTER_MAX };
    const first = this.#askCandidates(suited, search, { opening, isLastResort: false });
    if (first !== undefined) return first;
    const { length } = search.refusals;
    const named = this.#askNamed(search, true);
    // Their refusals are already in the report.
    search.refusals.length = length;
    if (named !== undefined) return named;
    return this.#askCandidates([...suited, ...others], search, { opening, isLastResort: true }) ?? search.shrunk;
  }

  #askCandidates(
    candidates: readonly FaceCandidate[],
    search: Search,
    { opening, isLastResort }: { opening: { left: number }; isLastResort: boolean },
  ): FaceRoute | undefined {
    const role = ROLE_ORDER.find(({ name }) => name === 'system') as Role;
    const { limitFontsets } = this.#parts.settings;
    for (const candidate of candidates) {
      const known = this.#opened.known(candidate, search.variant);
      if (known === undefined && opening.left === 0) {
        search.refusals.push({ face: candidate.family, reason: TOO_MANY });
        continue;
      }
      if (known === undefined) opening.left -= 1;
      const face = known ?? this.#opened.openSystem(candidate, search.variant, limitFontsets);
      const route = this.#try(face, role, search, { label: candidate.family, isLastResort });
      if (route !== undefined) return route;
    }
    return undefined;
  }

  #try(
    face: Face | NotOpened,
    role: Role,
    search: Search,
    { label, isLastResort }: { label: string; isLastResort: boolean },
  ): FaceRoute | undefined {
    const { settings } = this.#parts;
    const fit: Fit = 'refusal' in face ? face : fitCluster(face, role, search, { settings, isLastResort });
    if ('refusal' in fit) {
      const { refusal: reason, shrunk } = fit;
      if (shrunk !== undefined && !('refusal' in face) && shrunk.scale > (search.shrunk?.scale ?? 0))
        search.shrunk = { kind: 'face', face, role: role.name, ...shrunk };
      const isKnown = search.refusals.some((refusal) => refusal.face === label && refusal.reason === reason);
      if (!isKnown) search.refusals.push({ face: label, reason });
      return undefined;
    }
    return 'refusal' in face ? undefined : { kind: 'face', face, role: role.name, ...fit };
  }

  /** Returns the list for emoji, which starts with colour fonts, or the list for text, which starts with the others. */
  #systemFacesFor({ kind, variant }: Search): SystemFaces {
    const { source, request, settings } = this.#parts;
    const isForColor = wantsColor(kind, settings);
    const index = variantIndex(variant) + (isForColor ? VARIANTS : 0);
    const pattern = `${request.pattern}:color=${isForColor}`;
    const faces = this.#systemFaces[index] ?? new SystemFaces(source, { ...this.#size, ...variant, pattern });
    this.#systemFaces[index] = faces;
    return faces;
  }
}

/** Splits candidates into those that have the wanted colours, or the wanted lack of them, and the others. */
function partitionBySuit(
  candidates: readonly FaceCandidate[],
  { kind }: Search,
  settings: RoutingSettings,
): [FaceCandidate[], FaceCandidate[]] {
  const isEmoji = kind === 'emoji' || kind === 'emojiText';
  if (!isEmoji && settings.colorGlyphs) return [[...candidates], []];
  const wanted = wantsColor(kind, settings);
  const suited = candidates.filter(({ hasColor }) => hasColor === wanted);
  return [suited, candidates.filter(({ hasColor }) => hasColor !== wanted)];
}

function keyOf({ codePoints, cells, isBold, isItalic }: ClusterRequest): string {
  const style = cells | (isBold ? 4 : 0) | (isItalic ? 8 : 0);
  return String.fromCodePoint(style, ...codePoints);
}
