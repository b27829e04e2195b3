import type { Tool } from './tool.ts';

/** What follows from a tool's declaration alone, worked out with the first call that asks for it. */
export function perTool<Value>(find: (tool: Tool) => Value): (tool: Tool) => Value {
  const found = new WeakMap<Tool, { readonly value: Value }>();
  return (tool) => {
    const known = found.get(tool) ?? { value: find(tool) };
    found.set(tool, known);
    return known.value;
  };
}
