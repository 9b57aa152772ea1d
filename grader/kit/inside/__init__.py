"""What runs on a platform, from its package: the upload in, the platform's own result format out."""
