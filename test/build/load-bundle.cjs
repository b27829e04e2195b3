// Loads the bundle.js of the current folder as the runtime does, as a code string, and says what that loaded and what it exports.
// A file of its own: `node -e` itself loads what is looked for here.
const { compileFunction } = require('node:vm');
const code = require('node:fs').readFileSync('bundle.js', 'utf8');
const before = new Set(process.moduleLoadList);
const exported = {};
compileFunction(code, ['exports', 'require'])(exported, require);
const loaded = process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.replace('NativeModule ', ''));
process.stdout.write(JSON.stringify({ exported: Object.entries(exported).map(([name, value]) => `${name}: ${typeof value}`), loaded }));
