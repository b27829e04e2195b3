import { sections } from './sections.ts';

/**
 * Measures one section in a process of its own, so that no other has warmed it up or filled its memory: `node measure-section.ts <section> <effort as
 * JSON>`. Sends its tables, or a text that says what went wrong, to the process that forked it.
 */
const [name = '', effort = '{}'] = process.argv.slice(2);
const section = sections.find((one) => one.name === name);
process.send?.(await measured(), () => process.exit());

async function measured(): Promise<unknown> {
  try {
    if (!section) throw new Error(`there is no section "${name}"`);
    const { run } = await section.load();
    return await run(JSON.parse(effort));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return error instanceof Error ? error.message : String(error);
  }
}
