'use strict';
// One cold start of a function, measured from inside: loads a bundle, calls it once, prints the milliseconds.
// Arguments: what to call (list, call, empty, https, given), the bundle's code, the platform's address, the event that is given.
const [, , what, bundle, platform, given] = process.argv;
const { readFileSync } = require('node:fs');

const code = bundle ? readFileSync(bundle, 'utf8') : '';
const message = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const event = (body) => ({
  http: { method: 'POST', path: '/mcp', queryString: '', headers: { authorization: 'Bearer b', 'content-type': 'application/json' }, body },
});
const events = {
  list: event(message('tools/list')),
  call: event(message('tools/call', { name: 'account-get-information', arguments: {} })),
  given: given && JSON.parse(given),
};
const context = { getRemainingTimeInMillis: () => 25_000 };

async function main() {
  process.env.PLATFORM_API_URL = platform;
  process.stdout.write = () => true;
  const startedAt = performance.now();
  const answer = await run();
  const ms = performance.now() - startedAt;
  if (!answer) throw new Error(`${what}: no answer`);
  require('node:fs').writeSync(1, `${ms}\n`);
  process.exit(0);
}

function run() {
  if (what === 'https') return overHttps();
  // The same way a functions host takes in a single file: as text, in a wrapper.
  const exports = {};
  new Function('exports', 'require', what === 'empty' ? 'exports.main = () => ({ body: {} });' : code)(exports, require);
  return Promise.resolve(exports.main(events[what] || {}, context)).then((answer) => {
    if (what !== 'empty' && answer.statusCode !== 200) throw new Error(JSON.stringify(answer));
    return answer;
  });
}

/** What the call would cost with nothing but the network's modules. */
function overHttps() {
  const https = require('node:https');
  const { request: ask } = platform.startsWith('https:') ? https : require('node:http');
  return new Promise((resolve, reject) => {
    const request = ask(`${platform}/v2/account`, { headers: { authorization: 'Bearer b' } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
    request.end();
  });
}

main();
