// Runs one function in a process of its own, on any Node from 14 up, so it is plain CommonJS and requires nothing it does not need.
//
// The host writes JSON lines to stdin and reads JSON lines from fd 3:
//   launcher  {"ok":true}                                          the process is up
//   host      {"init":{file, esmFile?, dir?, cacheDir, cwd, main, env, apiHost, mark}}
//   launcher  {"ok":true} or {"error":"Initialization has failed due to: ..."}
//   host      {"run":{activationId, requestId, namespace, functionName, functionVersion, deadline, event}}
//   launcher  {"begun":id}, then {"id":id, "result":...} or {"id":id, "failed":"..."} or {"id":id, "tooLarge":bytes}
// After a run, and after a failed init, both output streams carry the mark, so that the host knows where the logs of a run end.
'use strict';

const fs = require('fs');

// Functions share this realm: whatever they patch must not reach the protocol.
const { writeSync, readSync } = fs;
const { parse, stringify } = JSON;
const now = Date.now;
const maxResultBytes = 1048576;
/** Compiling less than this is quicker than looking for its compiled form. */
const leastCachedLength = 32768;

let mark = '';
let handler;
let listening = false;
let flushCompiled;
let received = Buffer.alloc(0);

const outputs = [watch('stdout', 1), watch('stderr', 2)];
closeStdinToFunctions();
reply({ ok: true });
// A debugger may attach before there is anything to run, and wants an answer: the main thread must not stand still then.
if (process.execArgv.some((option) => option.startsWith('--inspect'))) readAhead(begin);
else begin();

function begin() {
  initialise(parse(readLine()).init);
}

async function initialise(init) {
  try {
    mark = `${init.mark}\n`;
    Object.assign(process.env, init.env);
    process.env.__OW_API_HOST = init.apiHost;
    process.chdir(init.cwd);
    handler = init.dir ? await loadDirectory(init) : await loadFile(init);
  } catch (error) {
    reply({ error: `Initialization has failed due to: ${describe(error)}` });
    endOutputs();
    listen();
    return;
  }
  reply({ ok: true });
  // The host sends the first run together with init, so this line is there already and no stream has to be set up to read it.
  run(parse(readLine()).run);
}

function run(call) {
  const { activationId } = call;
  reply({ begun: activationId });
  enterEnvironment(call);
  // Set up after the first call has begun: it costs more than the call itself, and keeps the process alive while a promise is pending.
  if (!listening) setImmediate(listen);
  let returned;
  try {
    returned = handler(call.event, contextOf(call));
  } catch (error) {
    console.error(error);
    answer(activationId, { error: error instanceof Error ? error.message : error });
    return;
  }
  if (!returned || typeof returned.then !== 'function') {
    answer(activationId, returned);
    return;
  }
  returned.then(
    (value) => answer(activationId, value),
    (error) => {
      console.error(error);
      answer(activationId, { error: rejection(error) });
    },
  );
}

function answer(id, value) {
  if (value !== undefined && (typeof value !== 'object' || Array.isArray(value))) {
    reply({ id, failed: 'The function did not return a dictionary.' });
  } else {
    replyWithResult(id, value === undefined ? {} : value);
  }
  endOutputs();
  // Instances are killed, not asked to exit: what Node would write then is written after the first answer.
  if (flushCompiled) setImmediate(flushCompiled);
  flushCompiled = undefined;
}

function replyWithResult(id, value) {
  let text;
  try {
    text = stringify(value);
  } catch (error) {
    reply({ id, failed: `The function returned a value that cannot be written as JSON: ${error.message}` });
    return;
  }
  const bytes = Buffer.byteLength(text === undefined ? '{}' : text);
  if (bytes > maxResultBytes) {
    reply({ id, tooLarge: bytes });
    return;
  }
  write(3, `{"id":"${id}","result":${text === undefined ? '{}' : text}}\n`);
}

function enterEnvironment(call) {
  const env = process.env;
  env.__OW_NAMESPACE = call.namespace;
  env.__OW_ACTION_NAME = call.functionName;
  env.__OW_ACTION_VERSION = call.functionVersion;
  env.__OW_ACTIVATION_ID = call.activationId;
  env.__OW_TRANSACTION_ID = call.requestId;
  env.__OW_DEADLINE = String(call.deadline);
}

function contextOf(call) {
  const { deadline } = call;
  return {
    functionName: call.functionName,
    functionVersion: call.functionVersion,
    activationId: call.activationId,
    requestId: call.requestId,
    deadline,
    apiHost: process.env.__OW_API_HOST,
    apiKey: '',
    namespace: call.namespace,
    getRemainingTimeInMillis: () => deadline - now(),
  };
}

/** What the platform records of a rejected promise: errors as plain objects, anything else as it is. */
function rejection(error) {
  if (!error) return {};
  if (!(error instanceof Error)) return error;
  const plain = { name: error.name, message: error.message, stack: error.stack };
  try {
    return { ...parse(stringify(error)), ...plain };
  } catch (_unserializable) {
    return plain;
  }
}

// Loading

async function loadFile({ file, esmFile, main, cacheDir }) {
  const path = main.split('.');
  let found;
  try {
    found = loadCommonJs(file, path, cacheDir);
  } catch (error) {
    const mayBeEsm = error instanceof SyntaxError && /\b(?:import|export|await)\b/.test(fs.readFileSync(file, 'utf8'));
    if (!mayBeEsm) throw error;
    found = follow(await importFile(esmFile), path);
  }
  const handler = typeof found === 'function' ? found : follow(global, path);
  if (typeof handler === 'function') return handler;
  throw new TypeError(`the code has no function "${main}": export it (exports.${main} = ...), or name the right one with "main"`);
}

function loadCommonJs(file, path, cacheDir) {
  const source = fs.readFileSync(file, 'utf8');
  if (source.length >= leastCachedLength) useCompileCache(cacheDir);
  let declared;
  const [name] = path;
  // A function that is declared and not exported counts as well, and only code inside the module can see it.
  const tail = isIdentifier(name) ? `\n;if(typeof ${name}!=='undefined')module._declare(${name})` : '';
  const exported = follow(
    compileCommonJs(file, source + tail, (value) => {
      declared = value;
    }),
    path,
  );
  return typeof exported === 'function' ? exported : follow({ [name]: declared }, path);
}

/** Runs a file as CommonJS, whatever a package.json beside it says, and returns its exports. */
function compileCommonJs(file, source, declare) {
  const Module = require('module');
  const module = new Module(file, null);
  module.filename = file;
  module.paths = Module._nodeModulePaths(file.slice(0, file.lastIndexOf('/')));
  module._declare = declare;
  const restore = silenceWarnings();
  try {
    module._compile(source, file, 'commonjs');
  } finally {
    restore();
  }
  module.loaded = true;
  return module.exports;
}

/** Keeps what V8 compiles for the instances to come; Nodes before 22 cannot. */
function useCompileCache(cacheDir) {
  const { enableCompileCache, flushCompileCache } = require('module');
  if (!enableCompileCache || !flushCompileCache) return;
  enableCompileCache(cacheDir);
  flushCompiled = flushCompileCache;
}

async function loadDirectory({ dir, main, cacheDir }) {
  useCompileCache(cacheDir);
  const dot = main.indexOf('.');
  const named = packageOf(dir);
  const file = dot > 0 ? firstFile(dir, [`${main.slice(0, dot)}.js`, `${main.slice(0, dot)}.mjs`]) : entryOf(dir, named.main);
  const name = dot > 0 ? main.slice(dot + 1) : main;
  const exported = (await loadModule(file, named.type))[name];
  const found = typeof exported === 'function' ? exported : global[name];
  if (typeof found === 'function') return found;
  throw new TypeError(
    `${file.slice(dir.length + 1)} exports no function "${name}" that import() can see: write it as a literal export, exports.${name} = ...`,
  );
}

/** A bundler's CommonJS output is loaded as what it is even where the package.json that its sources need says `type: module`. */
async function loadModule(file, type) {
  try {
    return await importFile(file);
  } catch (error) {
    const mayBeCommonJs = error instanceof ReferenceError || error instanceof TypeError || error instanceof SyntaxError;
    if (!mayBeCommonJs || type !== 'module' || !file.endsWith('.js')) throw error;
    const source = fs.readFileSync(file, 'utf8');
    if (!isCommonJs(source)) throw error;
    return compileCommonJs(file, source);
  }
}

/** Whether a source has nothing in it that only an ES module may have. */
function isCommonJs(source) {
  try {
    require('vm').compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname']);
    return true;
  } catch (_notParsed) {
    return false;
  }
}

function packageOf(dir) {
  try {
    return parse(fs.readFileSync(require('path').join(dir, 'package.json'), 'utf8')) || {};
  } catch (error) {
    if (error.code !== 'ENOENT') throw new Error(`package.json cannot be read: ${error.message}`);
    return {};
  }
}

/** Where an `.include` lists a bundle and its assets, neither index.js nor what "main" names for development may be there. */
function entryOf(dir, main) {
  const path = require('path');
  const isNamed = typeof main === 'string' && main !== '';
  const ownNames = isNamed ? [main, `${main}.js`, path.join(main, 'index.js')] : ['index.js', 'index.mjs'];
  return firstFile(dir, [...ownNames, 'bundle.js', 'dist/bundle.js']);
}

function firstFile(dir, names) {
  const path = require('path');
  for (const name of names) {
    const file = path.resolve(dir, name);
    if (file.startsWith(dir + path.sep) && fs.existsSync(file) && fs.statSync(file).isFile()) return file;
  }
  throw new Error(
    `the zip has none of ${names.join(', ')}: add one, or point "main" of its package.json at the file that holds the handler`,
  );
}

function importFile(file) {
  return import(require('url').pathToFileURL(file).href);
}

function follow(value, path) {
  let reached = value;
  for (const key of path) {
    if (reached === null || reached === undefined) return undefined;
    reached = reached[key];
  }
  return reached;
}

function isIdentifier(name) {
  if (name === 'main') return true;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return false;
  try {
    new Function(`typeof ${name}`);
    return true;
  } catch (_reserved) {
    return false;
  }
}

/** Older Nodes print advice about ES modules when a CommonJS parse fails, which here is only the first of two tries. */
function silenceWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  return () => {
    for (const listener of listeners) process.on('warning', listener);
  };
}

// Streams

/** Makes a lazy stream of `process` tell whether it was ever used: setting it up just to write the mark would cost every cold start. */
function watch(name, fd) {
  const descriptor = Object.getOwnPropertyDescriptor(process, name);
  const output = { fd, stream: undefined };
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (!output.stream) output.stream = descriptor.get.call(process);
      return output.stream;
    },
  });
  return output;
}

function endOutputs() {
  for (const { fd, stream } of outputs) {
    // Through the stream where there is one: it may still hold output that has to come before the mark.
    if (stream) Object.getPrototypeOf(stream).write.call(stream, mark);
    else write(fd, mark);
  }
}

/** The protocol comes in on stdin; a function that reads `process.stdin` finds it empty. */
function closeStdinToFunctions() {
  let empty;
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    enumerable: true,
    get() {
      if (!empty) empty = require('stream').Readable.from([]);
      return empty;
    },
  });
}

function reply(message) {
  write(3, `${stringify(message)}\n`);
}

function write(fd, text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function readLine() {
  const chunk = Buffer.alloc(65536);
  let end = received.indexOf(10);
  while (end < 0) {
    const count = readSync(0, chunk, 0, chunk.length, null);
    if (count === 0) endGroup();
    received = Buffer.concat([received, chunk.subarray(0, count)]);
    end = received.indexOf(10);
  }
  return takeLine(end);
}

function readAhead(done) {
  const chunk = Buffer.alloc(65536);
  fs.read(0, chunk, 0, chunk.length, null, (error, count) => {
    if (error || count === 0) endGroup();
    received = Buffer.concat([received, chunk.subarray(0, count)]);
    if (received.indexOf(10) < 0) readAhead(done);
    else done();
  });
}

function takeLine(end) {
  const line = received.toString('utf8', 0, end);
  received = received.subarray(end + 1);
  return line;
}

function listen() {
  listening = true;
  const { Socket } = require('net');
  const socket = new Socket({ fd: 0, readable: true, writable: false });
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (let end = received.indexOf(10); end >= 0; end = received.indexOf(10)) run(parse(takeLine(end)).run);
  });
  socket.on('close', endGroup);
  socket.on('error', endGroup);
}

/** The host is gone: nothing that was started here may stay. */
function endGroup() {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch (_notALeader) {
    // Started by hand, outside a process group of its own.
  }
  process.exit(1);
}

/** An error with its stack, without the frames of this file and of Node below it: its reader looks for those of the function. */
function describe(error) {
  const isOurs = (line) => /^ +at /.test(line) && (line.includes(__filename) || / \(?(?:node:)?internal\//.test(line));
  const lines = String(error?.stack || error).split('\n');
  return lines.filter((line) => !isOurs(line)).join('\n');
}
