/** The files of a new project, by path. */
export type ProjectFiles = Readonly<Record<string, string>>;

const ignored = `node_modules/
.deployed/
.deckhand/
__deployer__.zip
`;

/** One function in one file: nothing to build (specification, Project layout). */
export const javascriptProject: ProjectFiles = {
  'project.yml': `packages:
  - name: sample
    functions:
      - name: hello
        runtime: nodejs:24
        web: true
`,
  'packages/sample/hello/hello.js': `// Query and form fields are members of the event: .../sample/hello?name=Sammy
function main(event) {
  const name = event.name || 'stranger';
  const greeting = \`Hello \${name}!\`;
  console.log(greeting);
  return { body: greeting };
}

exports.main = main;
`,
  '.gitignore': ignored,
};

/** One function in TypeScript, bundled by Rollup into the one file that is deployed (specification, package.json and Bundlers). */
export const typescriptProject: ProjectFiles = {
  'project.yml': javascriptProject['project.yml'] ?? '',
  'packages/sample/hello/src/index.ts': `interface Event {
  /** Query and form fields are members of the event: .../sample/hello?name=Sammy */
  readonly name?: string;
  readonly http?: { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> };
}

interface Response {
  readonly body: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function handler(event: Event): Response {
  const greeting = \`Hello \${event.name ?? 'stranger'}!\`;
  console.log(greeting);
  return { body: greeting };
}

// An alias (export { handler as main }) would not survive the bundling.
export const main = handler;
`,
  'packages/sample/hello/package.json': `${JSON.stringify(
    {
      name: 'hello',
      private: true,
      type: 'module',
      scripts: { build: 'rollup --config' },
      devDependencies: {
        '@rollup/plugin-commonjs': '29.0.3',
        '@rollup/plugin-node-resolve': '16.0.3',
        '@rollup/plugin-typescript': '12.3.1',
        '@types/node': '24.19.2',
        rollup: '4.68.7',
        tslib: '2.9.1',
        typescript: '6.0.3',
      },
    },
    null,
    2,
  )}\n`,
  'packages/sample/hello/rollup.config.js': `import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import typescript from '@rollup/plugin-typescript';

export default {
  input: 'src/index.ts',
  output: { file: 'bundle.js', format: 'cjs' },
  // A type error fails the build.
  plugins: [typescript({ noEmitOnError: true }), nodeResolve(), commonjs()],
};
`,
  'packages/sample/hello/tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023'],
        module: 'esnext',
        moduleResolution: 'bundler',
        types: ['node'],
        strict: true,
        skipLibCheck: true,
      },
      include: ['src'],
    },
    null,
    2,
  )}\n`,
  'packages/sample/hello/.include': 'bundle.js\n',
  '.gitignore': `${ignored}bundle.js\n`,
};
