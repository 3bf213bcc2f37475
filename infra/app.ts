import { App } from 'aws-cdk-lib';
import { MemoryStack } from './memory-stack.ts';
import { settingsFrom } from './stack-settings.ts';

const app = new App({ analyticsReporting: false });
const settings = settingsFrom((key) => app.node.tryGetContext(key));

new MemoryStack(app, 'AiMemories', { stackName: `${settings.namePrefix ?? ''}ai-memories`, ...settings });
