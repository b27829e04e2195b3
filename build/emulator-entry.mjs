const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(
    `deckhand/emulator runs on Node 24 or newer, this is ${process.version} at ${process.execPath}. npm brought one along: it is first on the ` +
      'path of npm scripts (npm test), and lies at node_modules/.bin/node.',
  );
}

/** What `import 'deckhand/emulator'` gives; an older Node has to parse this file to be told. */
export const { startEmulator, OtherVersionError } = await import('./js/start-emulator.js');
