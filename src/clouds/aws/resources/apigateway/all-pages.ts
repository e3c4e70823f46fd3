/** More than any account or API may have; an answer that never ends is an error. */
const PAGES_MAX = 200;

interface Page<Item> {
  readonly Items?: readonly Item[] | undefined;
  readonly NextToken?: string | undefined;
}

/**
 * Every item of a list of API Gateway's.
 *
 * @param ask asks for one page
 * @throws Error when the list does not end
 */
export async function allPages<Item>(
  ask: (page: { readonly MaxResults: string; readonly NextToken?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const next = token === undefined ? {} : { NextToken: token };
    const page = await ask({ MaxResults: "100", ...next });
    items.push(...(page.Items ?? []));
    token = page.NextToken;
    if (token === undefined || token === "") return items;
  }
  throw new Error(`a list of API Gateway's has more than ${PAGES_MAX} pages`);
}
