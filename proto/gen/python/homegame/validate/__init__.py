"""Field rules of protovalidate, generated from proto/third_party. Do not edit."""
