import type { Json } from '../../emulator/platform.ts';
import type { StoryAccount } from '../stage.ts';
import { readingPlainLists } from './kiota.ts';
import { lostOnTheWay } from './lost.ts';

/** The package's types are TypeScript sources that this project's compiler refuses: under a name it can not follow it lets them be. */
const packageName: string = '@digitalocean/dots';

/** An account with the official client for it: `v2` is its door to the operations, `adapter` what sends its requests. */
export interface OfficialAccount {
  readonly v2: Json;
  readonly adapter: Json;
  readonly later: StoryAccount['later'];
}

/** Gives each story an account of its own. */
export type Enter = () => Promise<OfficialAccount>;

/** The platform's official client for a story's account. `lost` gets what the client's models of the replies have lost of them. */
export async function officialClient(account: StoryAccount, lost: Set<string>): Promise<OfficialAccount> {
  const dots = await import(packageName);
  const { adapter } = dots.createServiceManager({ digitalOcean: account.token }).getService('digitalocean');
  adapter.baseUrl = account.url;
  const client = dots.createDigitalOceanClient(adapter);
  const nodes = adapter.getParseNodeFactory();
  const rootOf = nodes.getRootParseNode.bind(nodes);
  nodes.getRootParseNode = (type: string, content: ArrayBuffer) => {
    const root = readingPlainLists(rootOf(type, content));
    const read = root.getObjectValue;
    return Object.assign(root, {
      getObjectValue: (factory: unknown) => {
        const model = read(factory);
        for (const what of lostOnTheWay(JSON.parse(new TextDecoder().decode(content)), model)) lost.add(what);
        return model;
      },
    });
  };
  return { v2: client.v2, adapter, later: account.later };
}
