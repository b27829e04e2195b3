import { describe, expect, it } from 'vitest';
import { renderListing } from '../../lib/catalogue/listing.ts';
import { renderSearchIndex } from '../../lib/catalogue/search/render-index.ts';
import { synonyms } from '../../lib/catalogue/search/synonyms.ts';
import { toolSearch } from '../../lib/catalogue/search/tool-search.ts';
import { wordsIn } from '../../lib/catalogue/search/words-in.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';
import { everyTool } from '../support/call-of.ts';

const index = renderSearchIndex(toolsets, renderListing(toolsets));
const search = toolSearch(index);

describe('a search for tools', () => {
  it.each(everyTool.names)('finds %s first by its name', (name) => {
    expect(search(name)[0]).toBe(name);
  });

  it.each([
    ['reboot a droplet', 'instance-reboot'],
    ['restart my server', 'instance-reboot'],
    ['launch a new VM', 'instance-create'],
    ['destroy a virtual machine', 'instance-delete'],
    ['which servers do we have', 'instance-list'],
    ['turn off a server', 'power-off-instance'],
    ['rename droplet', 'rename-instance'],
    ['shut down all servers with a tag', 'shutdown-instances-tag'],
    ['plans and prices', 'size-list'],
    ['Ubuntu image', 'image-list'],
    ['copy an image to another region', 'image-action-transfer'],
    ['add a DNS record', 'domain-record-create'],
    ['change the A record of a domain', 'domain-record-edit'],
    ["let's encrypt certificate", 'acme-certificate-create'],
    ['new postgres database', 'db-cluster-create'],
    ['tune postgres', 'db-cluster-update-psql-config'],
    ['who can connect to my database', 'db-cluster-get-firewall-rules'],
    ['mysql sql mode', 'db-cluster-get-sql-mode'],
    ['migrate database', 'db-cluster-start-online-migration'],
    ['open port 443', 'firewall-add-rules'],
    ['block traffic to a server', 'firewall-create'],
    ['add a server to a load balancer', 'load-balancer-add-instances'],
    ['purge the CDN cache', 'load-balancer-delete-cache'],
    ['private network', 'vpc-list'],
    ['assign a floating ip to a droplet', 'reserved-ip-assign'],
    ['elastic ip', 'reserved-ip-list'],
    ['bring your own ip', 'byoip-prefix-create'],
    ['monitor a website', 'uptimecheck-create'],
    ['is my site down', 'uptimecheck-get-state'],
    ['how much do I owe', 'balance-get'],
    ['payment history', 'billing-history-list'],
    ['upload my ssh key', 'key-create'],
    ['what happened in my account', 'action-list'],
  ])('knows what is meant by "%s"', (question, tool) => {
    expect(search(question).slice(0, 5)).toContain(tool);
  });

  it.each([
    ['dorplet list', 'instance-list'],
    ['craete domain', 'domain-create'],
    ['intsance reboot', 'instance-reboot'],
    ['certifcate', 'certificate-list'],
    ['lod balancer delet', 'load-balancer-delete'],
    ['fire wall rulse', 'firewall-add-rules'],
    ['snapsh', 'snapshot-instance'],
  ])('forgives "%s"', (question, tool) => {
    expect(search(question).slice(0, 5)).toContain(tool);
  });

  it('finds by an argument', () => {
    expect(search('CertificateChain')[0]).toBe('custom-certificate-create');
  });

  it.each(['', '   ', 'the of and', 'xqzvkj', '日本語'])('finds nothing for %j, and fails at nothing', (question) => {
    expect(search(question)).toEqual([]);
  });

  it('takes names that every object has for words', () => {
    expect(search('constructor toString __proto__ hasOwnProperty reboot')[0]).toBe('instance-reboot');
  });

  it('takes a very long question for its beginning', () => {
    expect(search(`reboot instance ${'x '.repeat(100_000)}`)[0]).toBe('instance-reboot');
  });

  it('knows no synonym of a word that no tool has', () => {
    const { words } = JSON.parse(index);
    const stray = Object.values(synonyms).flatMap((meant) => wordsIn(meant).filter((word) => !Object.hasOwn(words, word)));
    expect(stray).toEqual([]);
    // A key that the reading of questions changes would never be met.
    expect(Object.keys(synonyms).filter((word) => wordsIn(word)[0] !== word)).toEqual([]);
  });

  it('finds in one toolset alone where only that is served', () => {
    const dns = toolsets.filter(({ name }) => name === 'dns');
    const names = toolSearch(renderSearchIndex(dns, renderListing(dns)))('create');
    expect(names).toContain('domain-create');
    expect(names).not.toContain('instance-create');
  });
});
