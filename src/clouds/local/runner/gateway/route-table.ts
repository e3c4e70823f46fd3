/** The route that answers a request. */
export interface RouteMatch {
  /** As written: `GET /notes/{id}` or `$default`. */
  readonly routeKey: string;
  /** Logical name of the function. */
  readonly function: string;
  /** Null when the route has no variables. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export interface RouteTable {
  /** `path` is decoded and begins with a slash. */
  match(method: string, path: string): RouteMatch | null;
}

interface Route {
  readonly routeKey: string;
  readonly function: string;
  readonly variables: readonly string[];
}

/** Routes by method, or `ANY`. */
type Methods = Map<string, Route>;

interface Node {
  readonly fixed: Map<string, Node>;
  /** Below a `{variable}`, whatever its name. */
  variable: Node | null;
  /** Routes that end here. */
  readonly ends: Methods;
  /** Routes that end here with a `{greedy+}` variable. */
  readonly greedy: Methods;
}

interface Found {
  readonly route: Route;
  readonly values: readonly string[];
}

/**
 * Finds routes in the order that API Gateway documents for HTTP APIs: a full match, then a match with a greedy
 * variable, then `$default`. Among equals a fixed segment comes before a variable, and a method before `ANY`.
 * Paths are compared as they are: case counts, and so does a trailing slash.
 */
export function createRouteTable(
  routes: readonly { readonly routeKey: string; readonly function: string }[],
): RouteTable {
  const root = emptyNode();
  let fallback: RouteMatch | null = null;
  for (const route of routes) {
    if (route.routeKey === "$default") fallback = { ...route, pathParameters: null };
    else insert(root, route);
  }
  return {
    match(method, path) {
      const segments = path.split("/").slice(1);
      const found = findFull(root, segments, 0, method) ?? findGreedy(root, segments, 0, method);
      return found === null ? fallback : toMatch(found);
    },
  };
}

function emptyNode(): Node {
  return { fixed: new Map(), variable: null, ends: new Map(), greedy: new Map() };
}

function insert(
  root: Node,
  { routeKey, function: name }: Omit<RouteMatch, "pathParameters">,
): void {
  const space = routeKey.indexOf(" ");
  const method = routeKey.slice(0, space);
  const segments = routeKey
    .slice(space + 1)
    .split("/")
    .slice(1);
  const variables: string[] = [];
  const route: Route = { routeKey, function: name, variables };
  let node = root;
  for (const segment of segments) {
    const variable = /^\{(.+?)(\+?)\}$/.exec(segment);
    if (variable !== null) variables.push(variable[1] ?? "");
    if (variable?.[2] === "+") {
      node.greedy.set(method, route);
      return;
    }
    node = variable === null ? fixedChild(node, segment) : variableChild(node);
  }
  node.ends.set(method, route);
}

function fixedChild(node: Node, segment: string): Node {
  const known = node.fixed.get(segment);
  if (known !== undefined) return known;
  const made = emptyNode();
  node.fixed.set(segment, made);
  return made;
}

function variableChild(node: Node): Node {
  node.variable ??= emptyNode();
  return node.variable;
}

function choose(methods: Methods, method: string): Route | null {
  return methods.get(method) ?? methods.get("ANY") ?? null;
}

function findFull(
  node: Node,
  segments: readonly string[],
  at: number,
  method: string,
): Found | null {
  const segment = segments[at];
  if (segment === undefined) {
    const route = choose(node.ends, method);
    return route === null ? null : { route, values: [] };
  }
  return descend(node, segment, (child) => findFull(child, segments, at + 1, method));
}

function findGreedy(
  node: Node,
  segments: readonly string[],
  at: number,
  method: string,
): Found | null {
  const segment = segments[at];
  if (segment === undefined) return null;
  const deeper = descend(node, segment, (child) => findGreedy(child, segments, at + 1, method));
  if (deeper !== null) return deeper;
  const route = choose(node.greedy, method);
  const rest = segments.slice(at).join("/");
  return route === null || rest === "" ? null : { route, values: [rest] };
}

/** Looks below the fixed child first and below the variable one, which matches no empty segment, second. */
function descend(node: Node, segment: string, find: (child: Node) => Found | null): Found | null {
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? null : find(fixed);
  if (found !== null || node.variable === null || segment === "") return found;
  const below = find(node.variable);
  return below === null ? null : { route: below.route, values: [segment, ...below.values] };
}

function toMatch({ route, values }: Found): RouteMatch {
  const { routeKey, function: name, variables } = route;
  if (variables.length === 0) return { routeKey, function: name, pathParameters: null };
  const pairs = variables.map((variable, index) => [variable, values[index] ?? ""] as const);
  return { routeKey, function: name, pathParameters: Object.fromEntries(pairs) };
}
