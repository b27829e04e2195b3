/** The toolsets there are, each served by the function `tools/<name>`. */
export const toolsetNames = ['account', 'instances', 'images'] as const;

export type ToolsetName = (typeof toolsetNames)[number];
