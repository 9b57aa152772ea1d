"""Homework 1: Introduction to Parallel Deep Neural Networks."""
