import type { Json } from '../../emulator/platform.ts';
import type { OfficialAccount } from './official-client.ts';

const list: string = '@digitalocean/dots/src/dots/v2/load_balancers/index.js';
const item: string = '@digitalocean/dots/src/dots/v2/load_balancers/item/index.js';

/**
 * Creates a load balancer. The client takes the order for a single value and refuses to write an object ("encountered unknown value
 * type during serialization object"): the order goes in as it is on the wire, through the request of the list; the answer is read by
 * the client's own metadata.
 */
export async function orderBalancer(account: OfficialAccount, order: Json): Promise<Json> {
  const { Load_balancersRequestBuilderRequestsMetadata: metadata } = await import(list);
  return send(account, account.v2.load_balancers, 'POST', order, metadata.post);
}

/** Replaces a load balancer, likewise. */
export async function replaceBalancer(account: OfficialAccount, id: string, order: Json): Promise<Json> {
  const { WithLb_ItemRequestBuilderRequestsMetadata: metadata } = await import(item);
  return send(account, account.v2.load_balancers.byLb_id(id), 'PUT', order, metadata.put);
}

function send({ adapter }: OfficialAccount, builder: Json, method: string, order: Json, metadata: Json): Promise<Json> {
  const request = builder.toGetRequestInformation();
  request.httpMethod = method;
  request.setStreamContent(new TextEncoder().encode(JSON.stringify(order)).buffer, 'application/json');
  return adapter.send(request, metadata.responseBodyFactory, metadata.errorMappings);
}
