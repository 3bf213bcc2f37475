// What the SDK says of old versions of Node is about a runtime, and not about a command run here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export {};
